import { toOccurrenceRef } from '../../../recurring/series'
import { requestDigest } from '../../requestDigest'
import type { EventInputFor } from '../../eventInput'

/**
 * Returns the value that tells a repeat of a request from another request: the occurrence of a
 * recurring booking, otherwise the digest of the details.
 */
export const getCreationRef = ({ input, occurrence }: EventInputFor<'create'>): string =>
  occurrence ? toOccurrenceRef(occurrence) : requestDigest(input)

/** Returns true when a booking with this reference was created by the same request. */
export const isSameCreation = (ref: string, event: EventInputFor<'create'>): boolean =>
  ref === getCreationRef(event) ||
  (!event.occurrence && ref === requestDigest(event.input, { hasInstructions: true }))
