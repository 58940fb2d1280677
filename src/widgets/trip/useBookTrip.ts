import type { EndpointOutput } from '~/domain/api/api'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { addBooking } from '~/src/features/bookings/addBooking'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import type { ReadyBooking } from './bookingChecks'
import type { DraftedForm } from './useBookingDraft'

/**
 * Returns the request that books a checked draft, also to wait for a driver. For another person,
 * admins name a customer or a guest, and may confirm the addresses. Repeats use the draft's booking
 * id, so that they create no second booking. Rejects with a DomainError. In its own file so that
 * the public page does not load it with the form.
 */
export const useBookTrip = ({ draft, change }: Pick<DraftedForm, 'draft' | 'change'>) => {
  const dispatch = useAppDispatch()
  const { database } = useServices()
  return async (
    { trip, time, quote: { estimateFare } }: ReadyBooking,
    details: Pick<CreateBookingInput, 'customer' | 'guest' | 'addressesConfirmed' | 'wait'> = {},
  ): Promise<EndpointOutput<'create_booking'>> => {
    const bookingId = draft.bookingId ?? (await database.newKey())
    change({ bookingId })
    return dispatch(
      addBooking.quiet({ booking_id: bookingId, ...details, ...trip, ...time, estimateFare }),
    ).unwrap()
  }
}
