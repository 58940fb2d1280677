import type { Actor, EventInput } from '~/domain/booking/change'
import { MOST_REQUESTED, nextWave } from '~/domain/dispatch'
import type { Booking, Settings } from '~/domain/entities'
import { at, SERVER_UID } from '~/domain/paths'
import { isDispatchDue } from '~/domain/sweep'
import { logFault } from './logs'
import type { DatabasePort } from './ports/database'
import { driversAround } from './ports/nearby'
import { Refused } from './refused'

export const SYSTEM: Actor = { uid: SERVER_UID, role: 'system' }

/** Does one event to one booking, as `Bookings.change` does. */
type ChangeBooking = (id: string, input: EventInput, actor: Actor) => Promise<unknown>

/** False when it was refused: somebody was faster, and the booking is not what it was. */
export const happens = async (
  change: ChangeBooking,
  id: string,
  input: { event: 'expire' } | { event: 'dispatch'; drivers: string[] },
): Promise<boolean> => {
  try {
    await change(id, input, SYSTEM)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

/** Asks the drivers whose turn it is about a booking; false when there is nobody to ask, or nothing to do but wait. */
export const dispatchWave = async (
  { db, change }: { db: DatabasePort; change: ChangeBooking },
  booking: Booking,
  settings: Settings,
  now: number,
): Promise<boolean> => {
  const { pickup, carTypeId } = booking
  // Whoever was asked or has said something is passed over: there have to be others behind him.
  const passed = [booking.requestedDrivers, booking.askedDrivers, booking.event_log]
  const known = passed.reduce((count, those) => count + Object.keys(those ?? {}).length, 0)
  const near = await driversAround(db, pickup, carTypeId, settings, known + MOST_REQUESTED)
  const drivers = nextWave(booking, near, settings, now)
  return drivers.length > 0 && happens(change, booking.id, { event: 'dispatch', drivers })
}

/**
 * Looks for drivers at once when a booking has just become one to drive, or a driver has said no: nobody waits for the
 * sweep. Never rejects: the change before it is done, and the sweep comes by.
 */
export const dispatchAtOnce = async (
  ports: { db: DatabasePort; change: ChangeBooking },
  id: string,
  now: number,
): Promise<void> => {
  try {
    const [booking, settings] = await Promise.all([
      ports.db.read<Booking>(at.booking(id)),
      ports.db.read<Settings>(at.settings),
    ])
    if (!booking || !settings?.autoDispatch || !isDispatchDue(booking, now)) return
    await dispatchWave(ports, { ...booking, id }, settings, now)
  } catch (error) {
    logFault('dispatch', error)
  }
}
