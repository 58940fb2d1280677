import * as v from 'valibot'
import { text } from '../../../api/inputFields'
import { getCurrentStop } from '../../stops/bookingStops'
import { defineEvent, repeatsStop, stopRef } from '../defineEvent'

/** The driver passes a stop without halting. */
export const skipStop = defineEvent({
  from: ['STARTED'],
  to: ['STARTED'],
  by: ['driver'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: { ...stopRef, reason: v.optional(text(500, 'remark')) },
  needs: [],
  errors: ['stop_not_next'],
  isAvailable: (booking) => getCurrentStop(booking)?.state === 'next',
  findRepeat: repeatsStop,
})
