import { clientTimestamp, defineEvent, OFFICE_STEP_ERRORS, officeStepInput } from '../defineEvent'

/** The driver has the cash. */
export const collect = defineEvent({
  from: ['PENDING'],
  to: ['PAID'],
  by: ['driver', 'admin'],
  isTripStep: true,
  input: { ...clientTimestamp, ...officeStepInput },
  needs: ['customer', 'driver', 'referrer', 'driverReferrer'],
  errors: [...OFFICE_STEP_ERRORS],
})
