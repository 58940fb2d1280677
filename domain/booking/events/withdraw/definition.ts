import * as v from 'valibot'
import { bookingRef, idSchema } from '../../../api/inputFields'
import { type BasedOnRevision, defineEvent, neverRepeats } from '../defineEvent'

/**
 * A requested driver took another booking, went off duty or did not answer in time, or the back
 * office takes the request back.
 */
export const withdraw = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['admin', 'system'],
  logKey: 'perRevision',
  // A driver who did not answer in time goes to another booking first.
  startsDispatch: ({ isExpired }: { isExpired?: true }) => !isExpired,
  needs: ['offers'],
  errors: ['not_requested', 'demo_mode'],
  isAvailable: ({ requestedDrivers }) => requestedDrivers !== undefined,
  findRepeat: neverRepeats,
})

export const withdrawInput = v.strictObject({
  ...bookingRef,
  event: v.literal('withdraw'),
  driver: idSchema,
})
export interface WithdrawInput extends BasedOnRevision {
  event: 'withdraw'
  driver: string
  /** The driver did not answer in time, and another booking needs them. */
  isExpired?: true
}
