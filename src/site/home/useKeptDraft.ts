import { useEffect, useEffectEvent } from 'react'
import { type BookingPlaces, placesRestored } from '~/src/features/bookingPlaces/bookingPlaces'
import { useAppDispatch } from '~/src/store/hooks'
import { type BookingDraft, EMPTY_DRAFT } from '~/src/widgets/trip/tripDraft'
import { type SavedDraft, saveDraft, type Stage } from './bookingDraft'

/** Restores the places of a saved draft, and saves the draft as it changes. */
export const useKeptDraft = (
  saved: SavedDraft | null,
  trip: BookingPlaces,
  draft: BookingDraft,
  stage: Stage,
) => {
  const dispatch = useAppDispatch()
  const restore = useEffectEvent(() => {
    if (saved) dispatch(placesRestored(saved.trip))
  })
  useEffect(() => restore(), [])
  useEffect(() => {
    // An empty draft is not saved, so that a fresh page hydrates without changes.
    if (draft !== EMPTY_DRAFT || trip.pickup?.add || trip.drop?.add || trip.carType)
      saveDraft(trip, draft, stage)
  }, [draft, trip, stage])
}
