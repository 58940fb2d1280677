import { time } from '../../../api/inputFields'
import { defineEvent } from '../defineEvent'

/** The customer of a booking without a free driver goes on waiting, or the office says so. */
export const keepWaiting = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['rider', 'admin'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: {
    /** The `wait_until` of the booking that the question came from, ms. */
    asked_at: time,
  },
  needs: [],
  errors: [],
  isAvailable: ({ wait_until }) => wait_until !== undefined,
  findRepeat: ([last], { asked_at }: { asked_at: number }, { wait_until }) =>
    wait_until === asked_at ? undefined : last,
})
