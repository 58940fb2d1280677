import type { Complaint } from '../../../api/inputFields'
import { defineEvent, inputType, neverRepeats } from '../defineEvent'

/**
 * Card money of the booking was refunded. The money of a canceled booking is in the payer's wallet
 * and leaves that instead.
 */
export const refund = defineEvent({
  from: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  to: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  by: ['system'],
  logKey: 'perRevision',
  isStatusKept: true,
  ownInput: inputType<RefundInput>(),
  needs: [],
  errors: ['payment_mismatch'],
  // The payment's own update detects that the money moved before.
  findRepeat: neverRepeats,
})

export interface RefundInput {
  event: 'refund'
  /** The attempt whose money went back. */
  payment: string
  /** How much of it now; in the settings' currency. */
  amount: number
  isChargeback?: true | undefined
  complaint?: Complaint | undefined
}
