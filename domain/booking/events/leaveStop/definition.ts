import { getCurrentStop } from '../../stops/bookingStops'
import { defineEvent, repeatsStop, stopRef } from '../defineEvent'

/** The driver leaves a stop. */
export const leaveStop = defineEvent({
  from: ['STARTED'],
  to: ['STARTED'],
  by: ['driver'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: { ...stopRef },
  needs: [],
  errors: ['stop_not_next'],
  isAvailable: (booking) => getCurrentStop(booking)?.state === 'reached',
  findRepeat: repeatsStop,
})
