import type { KeptTrip } from '~/src/features/tripPoints/tripPoints'

/** All a visitor has filled in. It outlives the way to the login and back, and ends with the tab. */
export interface Draft {
  later: boolean
  /** Wall-clock text of the city, yyyy-mm-ddThh:mm. */
  when: string
  parcelTypeIndex: number
  optionIndex: number
  deliveryPerson: string
  deliveryPersonPhone: string
  pickUpInstructions: string
  deliveryInstructions: string
  /** Made once for a booking: sent twice, it is still one booking. */
  bookingId: string | null
  /** The dialog that is open. */
  stage: 'form' | 'extras' | 'estimate'
}
export const EMPTY_DRAFT: Draft = {
  later: false,
  when: '',
  parcelTypeIndex: 0,
  optionIndex: 0,
  deliveryPerson: '',
  deliveryPersonPhone: '',
  pickUpInstructions: '',
  deliveryInstructions: '',
  bookingId: null,
  stage: 'form',
}

const KEY = 'kerbside.draft'

export const saveDraft = (draft: Draft, trip: KeptTrip) => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ draft, trip }))
  } catch {
    // In a browser that keeps nothing the form is as good as its page.
  }
}

export const forgetDraft = () => sessionStorage.removeItem(KEY)

export const savedDraft = (): { draft: Draft; trip: KeptTrip } | null => {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as {
      draft: Draft
      trip: KeptTrip
    } | null
    return saved && { draft: { ...EMPTY_DRAFT, ...saved.draft }, trip: saved.trip }
  } catch {
    return null
  }
}
