import * as v from 'valibot'
import { bookingRef, text } from '../../../api/inputFields'
import { getCurrentStop } from '../../stops/bookingStops'
import { defineEvent, repeatsStop, stopRef } from '../defineEvent'

/** The driver passes a stop without halting. */
export const skipStop = defineEvent({
  from: ['STARTED'],
  to: ['STARTED'],
  by: ['driver'],
  logKey: 'perRevision',
  isStatusKept: true,
  needs: [],
  errors: ['stop_not_next'],
  isAvailable: (booking) => getCurrentStop(booking)?.state === 'next',
  findRepeat: repeatsStop,
})

export const skipStopInput = v.strictObject({
  ...bookingRef,
  event: v.literal('skip_stop'),
  ...stopRef,
  reason: v.optional(text(500, 'remark')),
})
