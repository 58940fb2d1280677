import { useId } from 'react'
import css from './BarChart.module.css'
import { niceMax } from './niceMax'

export interface Bar {
  id: string
  /** Shown under the bar if it fits. */
  label: string
  value: number
  /** The bar's value in words, such as "Friday: $30.30, 2 bookings"; by default the value. */
  text?: string
}

const FOOT = 22
/** Share of a bar's column that stays empty. */
const GAP = 0.28
/**
 * Renders one series of bars, in the direction of the page's text. It shows its values as text on
 * hover and in a table for screen readers.
 */
export const BarChart = ({
  title,
  bars,
  format,
  isCompact = false,
  wholeUnit,
}: {
  title: string
  bars: Bar[]
  format: (value: number) => string
  /** Fits a phone: no axis, no visible title, and the last bar, the current one, is marked. */
  isCompact?: boolean
  /**
   * The size of a unit of which the axis has whole numbers only: 1 where the values count things,
   * 60 where seconds are shown as minutes.
   */
  wholeUnit?: number
}) => {
  const id = useId()
  const [width, height] = isCompact ? [320, 120] : [520, 180]
  const most = Math.max(0, ...bars.map(({ value }) => value))
  const top = isCompact ? Math.max(1, most) : niceMax(most, wholeUnit)
  const marks = isCompact ? [] : [0, 0.5, 1].map((part) => ({ part, text: format(top * part) }))
  // The isolates of right-to-left text have no width.
  const longest = Math.max(
    0,
    ...marks.map(({ text }) => text.replace(/[\u2066-\u2069]/g, '').length),
  )
  const start = isCompact ? 0 : 16 + longest * 7
  const columnWidth = (width - start) / Math.max(1, bars.length)
  const every = isCompact ? 1 : Math.ceil(bars.length / 6)
  const y = (value: number) => height - (value / top) * (height - (isCompact ? 0 : 12))
  /** The smallest visible height, so that a small value differs from none. */
  const least = (value: number) => (value > 0 ? (isCompact ? 4 : 1.5) : isCompact ? 2 : 0)
  return (
    <figure className={css.chart} data-compact={isCompact || undefined} aria-labelledby={id}>
      <figcaption id={id} className={isCompact ? 'visually-hidden' : undefined}>
        {title}
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height + FOOT}`} aria-hidden="true">
        {marks.map(({ part, text }) => (
          <g key={part}>
            <line
              x1={start}
              x2={width}
              y1={y(top * part)}
              y2={y(top * part)}
              className={css.line}
            />
            <text x={start - 8} y={y(top * part) + 4} textAnchor="end">
              {text}
            </text>
          </g>
        ))}
        {bars.map(({ id: key, label, value, text }, index) => {
          const x = start + index * columnWidth
          const size = Math.max(least(value), height - y(Math.max(0, value)))
          return (
            <g key={key} className={css.bar}>
              <title>{text ?? `${label}: ${format(value)}`}</title>
              {/* The whole column reacts to the pointer, also above a low bar. */}
              <rect x={x} y={0} width={columnWidth} height={height} className={css.touch} />
              <rect
                x={x + (columnWidth * GAP) / 2}
                y={height - size}
                width={columnWidth * (1 - GAP)}
                height={size}
                rx={Math.min(isCompact ? 6 : 2, size / 2)}
              />
              {index % every === 0 && (
                <text x={x + columnWidth / 2} y={height + 16} textAnchor="middle">
                  {label}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      {/* Hiding the table itself would not remove the height of its rows. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {bars.map(({ id: key, label, value, text }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{text ?? format(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
