import { defineEvent } from '../defineEvent'

/** The customer has not come to the pickup: the driver or the back office ends the booking. */
export const noShow = defineEvent({
  from: ['ARRIVED'],
  to: ['CANCELLED'],
  by: ['driver', 'admin'],
  // Without the driver's time: the customer's minutes count until the server receives it.
  input: {},
  needs: ['customer', 'driver', 'promo', 'offers', 'followed', 'tracking', 'freeActions'],
  errors: ['demo_mode', 'no_show_too_early', 'no_show_elsewhere'],
})
