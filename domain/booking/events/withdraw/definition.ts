import { idSchema } from '../../../api/inputFields'
import { type BasedOnRevision, defineEvent, inputType, neverRepeats } from '../defineEvent'

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
  input: { driver: idSchema },
  ownInput: inputType<WithdrawInput>(),
  needs: ['offers'],
  errors: ['not_requested', 'demo_mode'],
  isAvailable: ({ requestedDrivers }) => requestedDrivers !== undefined,
  findRepeat: neverRepeats,
})

export interface WithdrawInput extends BasedOnRevision {
  event: 'withdraw'
  driver: string
  /** The driver did not answer in time, and another booking needs them. */
  isExpired?: true
}
