import * as v from 'valibot'
import type { EndpointOutput } from '~/domain/api/api'
import type { FindCallerInput, SaveNoteInput } from '~/domain/api/inputs/office'
import { dbPaths } from '~/domain/data/databasePaths'
import { FIRST_ALERT_KEY } from '~/domain/messages/officeAlert'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { OfficeCall } from '~/domain/office/types'

/** Calls that ring in the office, the oldest first; admins only. An answered one has no number. */
export const officeCalls = createLiveSlice('officecalls', 'calls', {
  toQuery: (most: number, profile) =>
    profile?.usertype === 'admin'
      ? {
          path: dbPaths.officeCalls,
          orderBy: 'key',
          // Alerts are in the same list, after the calls.
          endAt: FIRST_ALERT_KEY,
          limitToLast: most,
        }
      : null,
  schema: createRowSchema<OfficeCall & { id: string }>({ at: v.number(), expires: v.number() }),
  order: (a, b) => a.at - b.at,
})

/** The answer about a caller: the person, and what the office needs to book for them. */
export type CallerCardData = EndpointOutput<'find_caller'>

/** Finds the person with a number or an id. */
export const findCaller = createServiceThunk<FindCallerInput, CallerCardData>(
  'callers/find',
  (input, { functions }) => functions.call('find_caller', input),
)

/** Saves the office's note about a person and returns its revision. */
export const saveNote = createServiceThunk<SaveNoteInput, { revision: number }>(
  'callers/saveNote',
  (note, { functions }) => functions.call('save_note', note),
)

/** Takes a call off every screen; `first` is false when a colleague was faster. */
export const answerCall = createServiceThunk<{ call_id: string }, { first: boolean }>(
  'callers/answer',
  ({ call_id }, { functions }) => functions.call('answer_call', { call_id }),
)
