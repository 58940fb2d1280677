import { addToDriverMonth, splitByMonth } from '~/domain/dispatch/matching/driverMonth'
import { formatDay } from '~/domain/language/zonedTime'
import type { MemoryTree } from './memoryTree'
import type { Booking } from '~/domain/booking/types'

/** Milliseconds on duty before a day's first trip and after its last one. */
const IDLE_MS = 40 * 60_000

/** Counts the time on duty of each driver by month: around the trips of each of their days. */
export const addDutyHours = (tree: MemoryTree, timezone: string, now: number) => {
  const days = new Map<string, { driver: string; since: number; until: number }>()
  for (const { driver, event_log } of Object.values(
    tree.get<Record<string, Booking>>('bookings') ?? {},
  )) {
    const steps = Object.values(event_log)
    const accepted = steps.find(({ event }) => event === 'accept')?.at
    if (driver === undefined || accepted === undefined) continue
    const last = Math.max(...steps.filter(({ event }) => event !== 'rate').map(({ at }) => at))
    const key = `${driver} ${formatDay(accepted, timezone)}`
    const day = days.get(key) ?? { driver, since: Infinity, until: 0 }
    days.set(key, {
      driver,
      since: Math.min(day.since, accepted - IDLE_MS),
      until: Math.min(now, Math.max(day.until, last + IDLE_MS)),
    })
  }
  for (const { driver, since, until } of days.values())
    for (const [month, seconds] of splitByMonth(since, until, timezone))
      tree.commit({ updates: addToDriverMonth(driver, month, { active_s: seconds }) })
}
