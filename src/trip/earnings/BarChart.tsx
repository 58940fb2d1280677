import { useId } from 'react'
import css from './BarChart.module.css'

export interface ChartBar {
  id: string
  /** Under the bar. */
  label: string
  value: number
  /** Read out, and shown on hover: "Friday: $ 30.30, 2 bookings". */
  text: string
}
const HEIGHT = 120
const WIDTH = 320
const GAP = 0.28

/** A small bar chart; who can't see it gets a list. The last bar is today's. */
export const BarChart = ({ title, bars }: { title: string; bars: ChartBar[] }) => {
  const id = useId()
  const most = Math.max(...bars.map(({ value }) => value), 1)
  const step = WIDTH / Math.max(1, bars.length)
  return (
    <figure className={css.chart} aria-labelledby={id}>
      <figcaption id={id} className="visually-hidden">
        {title}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT + 22}`} aria-hidden="true">
        {bars.map(({ id: key, label, value, text }, index) => {
          const height = Math.max(value > 0 ? 4 : 2, (value / most) * HEIGHT)
          const x = index * step + (step * GAP) / 2
          return (
            <g key={key} className={index === bars.length - 1 ? css.now : css.bar}>
              <title>{text}</title>
              <rect x={index * step} y={0} width={step} height={HEIGHT} className={css.touch} />
              <rect
                x={x}
                y={HEIGHT - height}
                width={step * (1 - GAP)}
                height={height}
                rx={Math.min(6, height / 2)}
              />
              <text x={index * step + step / 2} y={HEIGHT + 17} textAnchor="middle">
                {label}
              </text>
            </g>
          )
        })}
      </svg>
      <ul className="visually-hidden">
        {bars.map(({ id: key, text }) => (
          <li key={key}>{text}</li>
        ))}
      </ul>
    </figure>
  )
}
