import type { CreateBookingInput } from '../api/inputs/bookings'
import type { Place } from '../geo/types'

/**
 * Hashes a text to 53 bits (cyrb53), which is enough to tell two requests apart, but not to protect
 * a secret.
 */
export const hashText = (text: string): number => {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return 4294967296 * (2097151 & b) + (a >>> 0)
}

const toPlaceValues = ({ lat, lng, add }: Place) => [lat, lng, add]

/**
 * Returns a short digest of a booking request, to distinguish a repeat from another request with
 * the same id. The booking itself does not show it, because a trip changes its drop-off and price.
 * The digest leaves out the recipient's phone number and the instructions, because a driver who may
 * not see them could try numbers and door codes against the digest. Release 0.3 included the
 * instructions (`hasInstructions`).
 */
export const requestDigest = (
  input: CreateBookingInput,
  { hasInstructions = false } = {},
): string =>
  hashText(
    JSON.stringify([
      input.customer ?? '',
      toPlaceValues(input.pickup),
      toPlaceValues(input.drop),
      (input.waypoints ?? []).map(toPlaceValues),
      input.carType,
      input.bookLater,
      // A booking for now takes the server's time.
      input.bookLater ? (input.tripdate ?? 0) : 0,
      input.estimateFare,
      input.parcelTypeIndex ?? -1,
      input.optionIndex ?? -1,
      input.deliveryPerson ?? '',
      ...(hasInstructions
        ? [input.pickUpInstructions ?? '', input.deliveryInstructions ?? '']
        : []),
      ...(input.wait ? ['wait'] : []),
    ]),
  ).toString(36)

/** Returns a short digest of a drop-off and its stops. */
export const placesDigest = (drop: Place, waypoints: readonly Place[]): string =>
  hashText(JSON.stringify([toPlaceValues(drop), waypoints.map(toPlaceValues)])).toString(36)
