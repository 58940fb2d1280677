import { useSyncExternalStore } from 'react'
import { DateTime, useFormat } from '../format'

const MINUTE = 60_000
const DAY = 86_400_000

let now = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()
const turn = () => {
  now = Date.now()
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  timer ??= setInterval(turn, MINUTE)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
// Nobody kept it while nobody looked.
const minute = () => {
  if (timer === undefined && Math.abs(Date.now() - now) >= MINUTE) now = Date.now()
  return now
}

/** The time (ms) as it was when the minute began to be shown; a page left open over midnight turns its day. */
export const useMinute = (): number => useSyncExternalStore(subscribe, minute)

/** How long ago, or how soon; what is more than a day away by its date. The exact moment on hover. */
export const Ago = ({ at, only }: { at: number; only?: 'date' }) => {
  const format = useFormat()
  const present = useMinute()
  if (Math.abs(at - present) >= DAY) return <DateTime at={at} {...(only && { only })} />
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {format.relative(at, present)}
    </time>
  )
}
