import { useMemo } from 'react'
import type { ExplainOfferInput } from '~/domain/api/inputs/bookings'
import type { ShownExplanation } from '~/domain/dispatch/matching/explainOffer'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { useLoaded } from '~/src/store/useLoaded'

/** Asks why an offer went to its driver; null when the reasons are not stored. */
const explainOffer = createServiceThunk<
  ExplainOfferInput,
  { explanation: ShownExplanation | null }
>('offers/explain', (input, { functions }) => functions.call('explain_offer', input))

/** Loads the explanation of an offer, by default the signed-in driver's latest one. */
export const useOfferExplanation = (booking: string, offer?: string) => {
  const input = useMemo(
    () => ({ booking_id: booking, ...(offer !== undefined && { offer }) }),
    [booking, offer],
  )
  return useLoaded(explainOffer, input)
}
