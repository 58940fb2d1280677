import { required } from '../../../api/inputFields'
import { defineEvent } from '../defineEvent'

/**
 * Ends a booking before its trip. A driver declines before they accept, and releases after that.
 */
export const cancel = defineEvent({
  from: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED'],
  to: ['CANCELLED'],
  by: ['rider', 'admin'],
  // Later, the office ends only a booking in which nothing has happened for long.
  officeFrom: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED'],
  input: { reason: required(500, 'remark') },
  needs: ['customer', 'driver', 'carType', 'promo', 'offers', 'followed', 'freeActions'],
  errors: ['demo_mode', 'reason_required'],
})
