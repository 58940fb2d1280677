import css from './MapLegend.module.css'

/** The marks of a legend; each looks like the line or the marker that it explains. */
type LegendMark = 'planned' | 'driven' | 'free' | 'asked' | 'busy' | 'waiting'

/** Explains the lines and the markers of a map. */
export const MapLegend = ({
  entries,
}: {
  entries: readonly { mark: LegendMark; label: string }[]
}) => (
  <ul role="list" className={css.legend}>
    {entries.map(({ mark, label }) => (
      <li key={mark} data-mark={mark}>
        {label}
      </li>
    ))}
  </ul>
)
