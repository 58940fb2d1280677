import { useId } from 'react'
import { Link } from '../place'
import css from './BarChart.module.css'

export interface Share {
  id: string
  label: string
  value: number
  /** Where its rows are. */
  to: string
}

/** How a whole divides: a line for each part, the largest first. */
export const Shares = ({
  title,
  shares,
  format,
}: {
  title: string
  shares: Share[]
  format: (value: number) => string
}) => {
  const id = useId()
  const sorted = [...shares].sort((a, b) => b.value - a.value)
  const most = Math.max(1, sorted[0]?.value ?? 0)
  return (
    <figure className={css.chart} aria-labelledby={id}>
      <figcaption id={id}>{title}</figcaption>
      <ul role="list" className={css.shares}>
        {sorted.map(({ id: key, label, value, to }) => (
          <li key={key}>
            <Link to={to}>{label}</Link>
            <span>{format(value)}</span>
            <i aria-hidden="true" style={{ inlineSize: `${(100 * value) / most}%` }} />
          </li>
        ))}
      </ul>
    </figure>
  )
}
