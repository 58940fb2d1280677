import { clientTimestamp, defineEvent } from '../defineEvent'

/** The driver has the cash. */
export const collect = defineEvent({
  from: ['PENDING'],
  to: ['PAID'],
  by: ['driver'],
  input: { ...clientTimestamp },
  needs: ['customer', 'driver', 'referrer', 'driverReferrer'],
  errors: [],
})
