import { useEffect, useState } from 'react'
import type { ExplainOfferInput } from '~/domain/endpointSchemas'
import type { ShownExplanation } from '~/domain/matching/explainOffer'
import { useAppDispatch } from '~/src/store/hooks'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Asks why an offer went to its driver; null when the reasons are not stored. */
const explainOffer = createServiceThunk<
  ExplainOfferInput,
  { explanation: ShownExplanation | null }
>('offers/explain', (asked, { functions }) => functions.call('explain_offer', asked))

type LoadedExplanation =
  | { state: 'loading' }
  | { state: 'failed' }
  | { state: 'loaded'; explanation: ShownExplanation | null }

/** Loads the explanation of an offer, by default the signed-in driver's latest one. */
export const useOfferExplanation = (booking: string, offer?: string): LoadedExplanation => {
  const dispatch = useAppDispatch()
  const [loaded, setLoaded] = useState<LoadedExplanation>({ state: 'loading' })
  useEffect(() => {
    let isWanted = true
    const input = { booking_id: booking, ...(offer !== undefined && { offer }) }
    dispatch(explainOffer.quiet(input))
      .unwrap()
      .then(
        ({ explanation }) => isWanted && setLoaded({ state: 'loaded', explanation }),
        () => isWanted && setLoaded({ state: 'failed' }),
      )
    return () => {
      isWanted = false
    }
  }, [booking, offer, dispatch])
  return loaded
}
