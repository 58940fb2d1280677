import { clientTimestamp, defineEvent } from '../defineEvent'

/** The driver ends the trip. */
export const finish = defineEvent({
  from: ['REACHED'],
  to: ['PENDING', 'PAID'],
  by: ['driver'],
  input: { ...clientTimestamp },
  needs: ['customer', 'driver', 'referrer', 'driverReferrer', 'next'],
  errors: [],
})
