import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import type { RowChange } from './migration'
import { applyUpdatesToRow } from './rowUpdates'

/** A booking of release 0.1, which stored contacts and push tokens itself. */
type LegacyBooking = { id: string; revision: number } & Partial<Record<string, unknown>>

const MOVED_FIELDS = [
  'customer_contact',
  'customer_email',
  'deliveryPersonPhone',
  'driver_contact',
] as const
const DROPPED_FIELDS = ['customer_token', 'driver_token'] as const
/** Fields that a booking no longer has. */
export const LEGACY_CONTACT_FIELDS = [...MOVED_FIELDS, ...DROPPED_FIELDS] as const

/**
 * Returns the update that moves a booking's contacts to booking_contacts/{id} and removes its
 * copies of push tokens, or an empty update for a migrated booking. The revision increases, so that
 * an update based on the old record is refused. Existing contacts remain where the booking has
 * none.
 */
export const buildContactsUpdates = (booking: LegacyBooking): Record<string, DatabaseValue> => {
  const held = LEGACY_CONTACT_FIELDS.filter((field) => booking[field] !== undefined)
  if (held.length === 0) return {}
  const moved = MOVED_FIELDS.flatMap((field): [string, DatabaseValue][] => {
    const value = booking[field]
    return typeof value === 'string' && value !== ''
      ? [[`${dbPaths.bookingContacts(booking.id)}/${field}`, value]]
      : []
  })
  // The record requires both. They are empty for the booking of a deleted account.
  const required = ['customer_contact', 'customer_email'].map((field): [string, DatabaseValue] => [
    `${dbPaths.bookingContacts(booking.id)}/${field}`,
    '',
  ])
  return {
    ...(moved.length > 0 && { ...Object.fromEntries(required), ...Object.fromEntries(moved) }),
    ...Object.fromEntries(held.map((field) => [`${dbPaths.booking(booking.id)}/${field}`, null])),
    [`${dbPaths.booking(booking.id)}/revision`]: booking.revision + 1,
  }
}

/** Moves the contacts of every booking to their own record. */
export const moveBookingContacts: RowChange = {
  collections: ['bookings', 'booking_contacts'],
  apply: (row, id) =>
    row.bookings === null || row.bookings === undefined
      ? row
      : applyUpdatesToRow(
          row,
          id,
          // A row of an older release, whose type is checked nowhere.
          buildContactsUpdates({ ...(row.bookings as LegacyBooking), id }),
        ),
}
