import type {
  ChangeRecurringInput,
  ListRecurringInput,
  SaveRecurringInput,
} from '~/domain/api/inputs/recurring'
import type { AmendedTrip, SeriesView } from '~/domain/recurring/view'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Saves a recurring booking for the signed-in rider, or for a customer of the office. */
export const saveRecurring = createServiceThunk<SaveRecurringInput, { series: SeriesView }>(
  'recurring/save',
  (input, { functions }) => functions.call('save_recurring', input),
)

/** Skips a trip of a recurring booking, pauses, resumes, edits or ends it; null after its end. */
export const changeRecurring = createServiceThunk<
  ChangeRecurringInput,
  { series: SeriesView | null; amended?: AmendedTrip[] | undefined }
>('recurring/change', (input, { functions }) => functions.call('change_recurring', input))

/** Returns the rider's recurring bookings; to the office, a page of those of all riders. */
export const listRecurring = createServiceThunk<
  ListRecurringInput,
  { series: SeriesView[]; next: string | null }
>('recurring/list', (input, { functions }) => functions.call('list_recurring', input))
