import { defineEvent, inputType } from '../defineEvent'

/**
 * Happens after 30 minutes without payment, or for a later booking past its time without a driver.
 */
export const expire = defineEvent({
  from: ['PAYMENT_PENDING', 'NEW'],
  to: ['CANCELLED'],
  by: ['system'],
  ownInput: inputType<ExpireInput>(),
  needs: ['customer', 'promo', 'offers'],
  errors: [],
})

export interface ExpireInput {
  event: 'expire'
}
