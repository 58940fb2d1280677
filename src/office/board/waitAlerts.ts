import { WAIT_LEVELS, type WaitLevel } from '~/domain/dispatch/waitingBookings'

const getUrgency = (level: WaitLevel) => WAIT_LEVELS.indexOf(level)
const AUDIBLE: readonly WaitLevel[] = ['warn', 'alarm']

/**
 * Returns the bookings that became more urgent and the highest level among them; null when none
 * did. A booking that the board sees for the first time makes no sound: opening the board would
 * otherwise sound for each booking that waits.
 */
export const getWaitAlert = (
  before: ReadonlyMap<string, WaitLevel>,
  now: ReadonlyMap<string, WaitLevel>,
): { level: WaitLevel; ids: string[] } | null => {
  const risen = [...now].filter(([id, level]) => {
    const previousLevel = before.get(id)
    return previousLevel && AUDIBLE.includes(level) && getUrgency(level) > getUrgency(previousLevel)
  })
  if (risen.length === 0) return null
  const level = risen.some(([, one]) => one === 'alarm') ? 'alarm' : 'warn'
  return { level, ids: risen.filter(([, one]) => one === level).map(([id]) => id) }
}
