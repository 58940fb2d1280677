import { useState } from 'react'
import type { DraftedForm } from '~/src/widgets/trip/useBookingDraft'
import { useBookTrip } from '~/src/widgets/trip/useBookTrip'
import type { BookedTrip } from './BookedDialog'
import type { Caller } from './useCaller'

/**
 * Sends the booking for a caller; a refused address can be confirmed, and without a free driver it
 * can wait.
 */
export const useOfficeBooking = (form: DraftedForm, caller: Caller) => {
  const bookTrip = useBookTrip(form)
  const [booked, setBooked] = useState<BookedTrip | null>(null)
  /** The places of the last request. */
  const [sentPlaces, setSentPlaces] = useState('')
  // Only the addresses that the server has refused can be confirmed.
  const mayConfirm =
    form.refused?.key === 'address_elsewhere' && sentPlaces === JSON.stringify(form.places)
  const book = (choice: { wait?: true } = {}) =>
    form.submit('booking', async (ready) => {
      const confirmation = mayConfirm && { addressesConfirmed: true as const }
      setSentPlaces(JSON.stringify(form.places))
      const response = await form.send(() =>
        bookTrip(ready, { ...caller.request, ...confirmation, ...choice }),
      )
      if (!response) return
      const { booking_id: id, reference = id } = response
      setBooked({ id, reference })
    })
  return { booked, mayConfirm, book }
}
