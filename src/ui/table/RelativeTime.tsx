import { useSyncExternalStore } from 'react'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()
const updateNow = () => {
  now = Date.now()
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(updateNow, MINUTE_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
// The value is stale when no component was subscribed.
const readMinute = () => {
  if (timer === undefined && Math.abs(Date.now() - now) >= MINUTE_MS) now = Date.now()
  return now
}

/**
 * Returns the time (ms) at which the current minute started on screen, so that a page left open
 * past midnight changes its day.
 */
export const useCurrentMinute = (): number => useSyncExternalStore(subscribe, readMinute)

/**
 * Shows a relative time; a time more than a day away appears as a date. The exact time appears on
 * hover.
 */
export const RelativeTime = ({ at, only }: { at: number; only?: 'date' }) => {
  const format = useFormat()
  const present = useCurrentMinute()
  if (Math.abs(at - present) >= DAY_MS) return <DateTime at={at} {...(only && { only })} />
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.relative(at, present)}
    </time>
  )
}
