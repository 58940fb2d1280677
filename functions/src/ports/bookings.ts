import type { Actor } from '~/domain/booking/eventTypes'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Booking } from '~/domain/booking/types'

interface BookingEventResult {
  booking_id: string
  status: Booking['status']
  revision: number
  /** The grand total at which the booking was created. */
  estimate: number
  reference: string
}

export interface BookingService {
  /**
   * Applies one event to one booking atomically, and sends its push messages. Throws
   * `DomainException` when the transition table refuses it, and then writes nothing except what the
   * refusal itself records.
   */
  applyEvent(id: string, input: EventInput, actor: Actor): Promise<BookingEventResult>
}
