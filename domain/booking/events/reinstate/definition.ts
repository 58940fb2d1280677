import { defineEvent, inputType, neverRepeats } from '../defineEvent'

/** The payer's bank gave back card money that a dispute had taken from the booking. */
export const reinstate = defineEvent({
  from: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  to: ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  by: ['system'],
  logKey: 'perRevision',
  isStatusKept: true,
  ownInput: inputType<ReinstateInput>(),
  needs: [],
  errors: ['payment_mismatch'],
  // The payment's own update detects that the money moved before.
  findRepeat: neverRepeats,
})

export interface ReinstateInput {
  event: 'reinstate'
  /** The attempt whose money a bank gave back. */
  payment: string
  amount: number
  /** True when the bank had taken it after the booking was PAID. */
  isAfterPaid: boolean
}
