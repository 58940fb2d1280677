import { money, pushKey } from '../../../api/inputFields'
import { defineEvent, repeatsRequest } from '../defineEvent'

/** The rider tips the driver. */
export const tip = defineEvent({
  from: ['PAID', 'COMPLETE'],
  to: ['PAID', 'COMPLETE'],
  by: ['rider'],
  logKey: 'perRevision',
  isStatusKept: true,
  input: {
    /** A push key from the client: the same key again gives nothing more. */
    request_id: pushKey,
    amount: money,
  },
  needs: ['customer', 'driver'],
  errors: [
    'already_processed',
    'tip_too_late',
    'tip_too_much',
    'payment_mismatch',
    'wallet_too_low',
  ],
  findRepeat: repeatsRequest,
})
