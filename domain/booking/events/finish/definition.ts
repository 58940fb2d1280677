import { defineTripStep } from '../defineEvent'

/** The driver ends the trip. */
export const finish = defineTripStep({
  from: ['REACHED'],
  to: ['PENDING', 'PAID'],
  input: {},
  needs: ['customer', 'driver', 'referrer', 'driverReferrer', 'next'],
  errors: [],
})
