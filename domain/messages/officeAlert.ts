import { toJson, type DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { encodeTime } from '../data/pushKeys'
import type { MessageEvent } from './messageTable'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking } from '../booking/types'
import type { LatLng } from '../geo/types'

/** Milliseconds for which news can reach an office page that is reconnecting. */
const NEWS_MS = 10 * MINUTE_MS
/** Milliseconds after which an emergency that no admin closed is removed. */
const PANIC_MS = 30 * 1440 * MINUTE_MS

/**
 * Alert keys begin with a character that sorts after all keys of calls, which are in the same list.
 * Emergencies sort last, so that no number of news hides one.
 */
export const FIRST_ALERT_KEY = '~'

/** An event that every page of the office shows, with a sound. */
export interface OfficeAlert {
  event: MessageEvent
  params?: Readonly<Record<string, string | number>>
  booking_id?: string
  /** The times, ms, of the event and of the alert's removal. */
  at: number
  expires: number
  revision: number
}

/** The alert about a person who presses the emergency button. It stays until an admin closes it. */
export interface PanicAlert extends OfficeAlert {
  event: 'panic'
  booking_id: string
  /** The person, and their part in the trip. */
  by: string
  role: 'rider' | 'driver'
  name: string
  reference: string
  /** The person's position, or that of the car. */
  position?: LatLng
  /** Number of times that the person pressed the button. */
  presses: number
  /** The admin who is taking care of it; absent while the alarm sounds. */
  taken_by?: string
  taken_name?: string
}

/** Returns the update that shows news to the office. Its key lets the same news come only once. */
export const buildNewsUpdates = (
  scope: string,
  news: Omit<OfficeAlert, 'expires' | 'revision'>,
): Record<string, DatabaseValue> => ({
  [dbPaths.officeAlert(`${FIRST_ALERT_KEY}news-${encodeTime(news.at)}-${scope}-${news.event}`)]:
    toJson({ ...news, expires: news.at + NEWS_MS, revision: 1 }),
})

/** Returns the id of the alert about a person of a booking, who has one alert at a time. */
export const toPanicAlertId = (booking: string, uid: string): string =>
  `${FIRST_ALERT_KEY}panic-${booking}-${uid}`

/**
 * Returns the alert after a press of the emergency button. A further press before the office closes
 * the alert renews it with the new position, and the alarm sounds again.
 */
export const raisePanic = (
  booking: Pick<Booking, 'id' | 'reference' | 'driver' | 'driver_name' | 'customer_name'>,
  { uid, position }: { uid: string; position: LatLng | undefined },
  previousAlert: PanicAlert | null,
  now: number,
): PanicAlert => {
  const place = position ?? previousAlert?.position
  return {
    event: 'panic',
    booking_id: booking.id,
    by: uid,
    role: booking.driver === uid ? 'driver' : 'rider',
    name: (booking.driver === uid ? booking.driver_name : booking.customer_name) ?? '',
    reference: booking.reference,
    ...(place && { position: place }),
    presses: (previousAlert?.presses ?? 0) + 1,
    at: now,
    expires: now + PANIC_MS,
    revision: (previousAlert?.revision ?? 0) + 1,
  }
}

/**
 * Returns the alert in the care of an admin, or null when a colleague was faster. The alarm of a
 * later press sounds again, because the admin saw only `revision`.
 */
export const takePanic = (
  alert: PanicAlert,
  admin: { uid: string; name: string },
  revision: number,
): PanicAlert | null =>
  alert.revision !== revision || alert.taken_by !== undefined
    ? null
    : { ...alert, taken_by: admin.uid, taken_name: admin.name, revision: revision + 1 }

/** Returns a position as a message writes it. */
export const formatPosition = ({ lat, lng }: LatLng): string =>
  `${lat.toFixed(5)}, ${lng.toFixed(5)}`
