import { isContactOpen } from '~/domain/booking/contactAccess'
import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { blurPosition } from '~/domain/geo/geo'
import {
  formatPosition,
  type PanicAlert,
  raisePanic,
  toPanicAlertId,
} from '~/domain/messages/officeAlert'
import { createAuditKey, getPushKeyTime } from '~/domain/data/pushKeys'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { fail } from '../../domainException'
import { commitOrFail } from '../../services/bookings/commitRetry'
import type { RequestContext } from '../../ports/requestContext'
import type { AuditEntry } from '~/domain/office/types'
import type { Booking, TrackingPoint } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'

/** Returns the last position of the booking's car. */
const findCarPosition = async (
  { db }: Pick<RequestContext, 'db'>,
  booking: string,
): Promise<LatLng | undefined> => {
  const [last] = await db.list<TrackingPoint>(dbPaths.tracking(booking), { by: '$key', last: 1 })
  return last && { lat: last[1].lat, lng: last[1].lng }
}

/** Alerts the office that a person of a trip is in danger. */
export const raise_panic = defineUserEndpoint({
  name: 'raise_panic',
  summary:
    "Alerts the office on every page and by its channels that the rider or the driver of a trip is in danger, with the device's position or that of the car. Possible from the acceptance until one hour after the end. Repeating a panic_id alerts once; a further press renews an alert that the office has not closed.",
  allow: ['rider', 'driver'],
  limit: 10,
  spends: ['messages'],
  // A person in danger is never refused for the rest of a day.
  dailyLimit: 'none',
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed', 'event_not_possible', 'changed_meanwhile'],
  async handle({ panic_id, booking_id, position }, context) {
    const { actor, db, now, outbox } = context
    const { uid } = actor
    const path = dbPaths.officeAlert(toPanicAlertId(booking_id, uid))
    // The audit keeps its entries for good, so the entry of a press also tells a repeat.
    const subject = `${booking_id}/panic/${uid}/${panic_id}`
    const auditPath = dbPaths.audit(createAuditKey(getPushKeyTime(panic_id), subject, 0))
    const car = position ?? (await findCarPosition(context, booking_id))
    return commitOrFail(context, { subject: booking_id, event: 'panic' }, async () => {
      const [booking, previousAlert, before] = await Promise.all([
        db.read<Booking>(dbPaths.booking(booking_id)),
        db.read<PanicAlert>(path),
        db.read<AuditEntry>(auditPath),
      ])
      if (!booking) return fail('not_found', 'booking_id')
      if (booking.customer !== uid && booking.driver !== uid) fail('not_allowed')
      if (before) return { stateRead: before, now, result: { at: before.at } }
      const { status } = booking
      if (!isContactOpen(booking, now)) fail('event_not_possible', undefined, { status })
      const trip = { ...booking, id: booking_id }
      const alert = raisePanic(trip, { uid, position: car }, previousAlert, now)
      const { name: sender, reference, role } = alert
      const entry: AuditEntry = {
        by: uid,
        at: now,
        action: 'booking_panic',
        path: dbPaths.booking(booking_id),
        // The audit outlives the personal data, so it has the position only roughly.
        to: {
          role,
          ...(alert.position && { position: formatPosition(blurPosition(alert.position)) }),
        },
      }
      const messages = outbox.buildUpdates({
        scope: `${booking_id}-${panic_id}`,
        event: 'panic',
        audience: 'office',
        booking_id,
        params: {
          sender,
          reference,
          position: alert.position ? formatPosition(alert.position) : '–',
        },
        at: now,
        now,
      })
      const updates = {
        [path]: toJson(alert),
        [auditPath]: toJson(entry),
        // An alert that is still open has sent its messages.
        ...(previousAlert === null && messages),
      }
      return { stateRead: previousAlert, now, effect: { updates, pushes: [] }, result: { at: now } }
    })
  },
})
