import { useFormat } from './format'

export const Distance = ({ value }: { value: number }) => <bdi>{useFormat().distance(value)}</bdi>

/** Shows an instant as text, with the exact time on hover. */
export const DateTime = ({ at, only }: { at: number; only?: 'date' | 'time' }) => {
  const format = useFormat()
  const text =
    only === 'date' ? format.date(at) : only === 'time' ? format.time(at) : format.dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {text}
    </time>
  )
}
