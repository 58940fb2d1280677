import { useId } from 'react'
import css from './BarChart.module.css'

export interface Bar {
  id: string
  /** Under the bar, where there is room. */
  label: string
  value: number
}

const HEIGHT = 180
const FOOT = 22
const niceMax = (most: number): number => {
  if (most <= 0) return 1
  const step = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 2.5, 5, 10].map((n) => n * step).find((n) => n >= most) ?? most
}

/** One series of bars. It says its values in words on hover and in a table for those who can't see it. */
export const BarChart = ({
  title,
  bars,
  format,
  tone = 'primary',
}: {
  title: string
  bars: Bar[]
  format: (value: number) => string
  tone?: 'primary' | 'accent'
}) => {
  const id = useId()
  const top = niceMax(Math.max(0, ...bars.map(({ value }) => value)))
  const width = 520
  const marks = [0, 0.5, 1].map((part) => ({ part, text: format(top * part) }))
  // Isolates of right-to-left text take no room.
  const longest = Math.max(...marks.map(({ text }) => text.replace(/[\u2066-\u2069]/g, '').length))
  const start = 16 + longest * 7
  const step = (width - start) / Math.max(1, bars.length)
  const every = Math.ceil(bars.length / 6)
  const y = (value: number) => HEIGHT - (value / top) * (HEIGHT - 12)
  return (
    <figure className={css.chart} data-tone={tone} aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT + FOOT}`} aria-hidden="true">
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
        {bars.map((bar, index) => (
          <g key={bar.id}>
            <rect
              className={css.bar}
              x={start + index * step + step * 0.14}
              width={step * 0.72}
              y={Math.min(y(Math.max(0, bar.value)), HEIGHT - (bar.value > 0 ? 1.5 : 0))}
              height={Math.max(bar.value > 0 ? 1.5 : 0, HEIGHT - y(Math.max(0, bar.value)))}
              rx="2"
            >
              <title>{`${bar.label}: ${format(bar.value)}`}</title>
            </rect>
            {index % every === 0 && (
              <text x={start + index * step + step / 2} y={HEIGHT + 16} textAnchor="middle">
                {bar.label}
              </text>
            )}
          </g>
        ))}
      </svg>
      {/* A table by itself would take its rows' height all the same. */}
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {bars.map((bar) => (
              <tr key={bar.id}>
                <th scope="row">{bar.label}</th>
                <td>{format(bar.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
