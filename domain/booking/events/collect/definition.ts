import { defineTripStep } from '../defineEvent'

/** The driver has the cash. */
export const collect = defineTripStep({
  from: ['PENDING'],
  to: ['PAID'],
  input: {},
  needs: ['customer', 'driver', 'referrer', 'driverReferrer'],
  errors: [],
})
