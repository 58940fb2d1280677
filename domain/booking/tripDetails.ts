import { INSTRUCTION_FIELDS } from './contactAccess'

/** Details that are stored with the contacts of a booking, because few people may read them. */
export const CONTACT_DETAILS = ['deliveryPersonPhone', ...INSTRUCTION_FIELDS] as const

/**
 * The details of a trip beside its places, its time and its vehicle: the recipient and the notes.
 * Requests, recurring bookings, imports and forms read this list.
 */
export const TRIP_DETAILS = ['deliveryPerson', ...CONTACT_DETAILS] as const
export type TripDetail = (typeof TRIP_DETAILS)[number]

/** Returns every detail as a text, which is empty for one that is missing. */
export const toDetailTexts = (
  source: Partial<Record<TripDetail, string | undefined>>,
): Record<TripDetail, string> =>
  Object.fromEntries(TRIP_DETAILS.map((field) => [field, source[field] ?? ''])) as Record<
    TripDetail,
    string
  >
