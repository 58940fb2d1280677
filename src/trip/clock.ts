import { useEffect } from 'react'
import * as v from 'valibot'
import { liveRecord, useLive } from '~/src/store/liveSlice'
import { remember } from '~/src/ui/remember'
import { useNow } from '~/src/ui/useNow'

/** How far the server's clock is ahead of this device's, ms. */
const serverOffset = liveRecord('serveroffset', 'offset', {
  at: () => ({ path: '.info/serverTimeOffset' }),
  row: v.number(),
  open: true,
})

const OFFSET = 'kerbside.clock-offset'
const offsetKept = (): number => Number(localStorage.getItem(OFFSET)) || 0

/** Keeps what is known of this device's clock for the time without a connection. */
export const useClockKept = () => {
  const { offset } = useLive(serverOffset)
  useEffect(() => {
    if (offset !== null) remember(OFFSET, String(offset))
  }, [offset])
}

/** The server's time now (ms), by what was last known of this device's clock: needs no connection. */
export const serverNow = (): number => Math.round(Date.now() + offsetKept())

/** The server's time now (ms): durations since a server timestamp are right even when the device's clock is not. */
export const useServerNow = (everyMs = 1000): number => {
  const { offset } = useLive(serverOffset)
  return useNow(everyMs) + (offset ?? offsetKept())
}

/** A running time such as 0:07, 12:30 or 1:02:03. */
export const running = (ms: number): string => {
  const all = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
