import * as v from 'valibot'
import { getCurrentStop } from '../../stops/bookingStops'
import { bookingRef } from '../../../api/inputFields'
import { defineEvent, repeatsStop, stopRef } from '../defineEvent'

/** The driver leaves a stop. */
export const leaveStop = defineEvent({
  from: ['STARTED'],
  to: ['STARTED'],
  by: ['driver'],
  logKey: 'perRevision',
  isStatusKept: true,
  needs: [],
  errors: ['stop_not_next'],
  isAvailable: (booking) => getCurrentStop(booking)?.state === 'reached',
  findRepeat: repeatsStop,
})

export const leaveStopInput = v.strictObject({
  ...bookingRef,
  event: v.literal('leave_stop'),
  ...stopRef,
})
