import { clientTimestamp, defineEvent, OFFICE_STEP_ERRORS, officeStepInput } from '../defineEvent'

/** The driver ends the trip. */
export const finish = defineEvent({
  from: ['REACHED'],
  to: ['PENDING', 'PAID'],
  by: ['driver', 'admin'],
  isTripStep: true,
  input: { ...clientTimestamp, ...officeStepInput },
  needs: ['customer', 'driver', 'referrer', 'driverReferrer', 'next'],
  errors: [...OFFICE_STEP_ERRORS],
})
