import { getCurrentStop } from '../../stops/bookingStops'
import { defineEvent, repeatsStop, stopRef } from '../defineEvent'

/** The driver is at the next stop between pickup and drop-off. */
export const arriveStop = defineEvent({
  from: ['STARTED'],
  to: ['STARTED'],
  by: ['driver'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: { ...stopRef },
  needs: [],
  errors: ['stop_not_next'],
  isAvailable: (booking) => getCurrentStop(booking)?.state === 'next',
  findRepeat: repeatsStop,
})
