import { useId } from 'react'
import { Link } from '~/src/ui/navigation/router'
import css from '~/src/ui/charts/BarChart.module.css'

export interface BreakdownPart {
  id: string
  label: string
  value: number
  /** The page that lists its rows. */
  to: string
}

/** Shows the parts of a whole, one row each, largest first. */
export const BreakdownChart = ({
  title,
  shares: parts,
  format,
}: {
  title: string
  shares: BreakdownPart[]
  format: (value: number) => string
}) => {
  const id = useId()
  const sorted = [...parts].sort((a, b) => b.value - a.value)
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
