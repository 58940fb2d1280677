import type { SavedBookingPlaces } from '~/src/features/bookingPlaces/bookingPlaces'
import { type BookingDraft, EMPTY_DRAFT } from '~/src/widgets/trip/tripDraft'

/** The form or its open dialog. */
export type Stage = 'form' | 'extras' | 'estimate'
/** Everything a visitor has filled in. It survives the login and ends with the tab. */
export interface SavedDraft {
  draft: BookingDraft & { stage: Stage }
  trip: SavedBookingPlaces
}

const STORAGE_KEY = 'kerbside.draft'

export const saveDraft = (
  trip: SavedBookingPlaces,
  draft: BookingDraft = EMPTY_DRAFT,
  stage: Stage = 'form',
) => {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ draft: { ...draft, stage }, trip }))
  } catch {
    // In a browser that keeps nothing the form is as good as its page.
  }
}

export const clearDraft = () => sessionStorage.removeItem(STORAGE_KEY)

export const loadDraft = (): SavedDraft | null => {
  try {
    const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? 'null') as {
      draft: Partial<SavedDraft['draft']>
      trip: SavedBookingPlaces
    } | null
    return saved && { draft: { ...EMPTY_DRAFT, stage: 'form', ...saved.draft }, trip: saved.trip }
  } catch {
    return null
  }
}
