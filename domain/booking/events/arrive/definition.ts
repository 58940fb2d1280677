import { domainError } from '../../../api/errors'
import {
  clientTimestamp,
  defineEvent,
  driverPosition,
  OFFICE_STEP_ERRORS,
  officeStepInput,
} from '../defineEvent'

/** The driver is at the pickup. */
export const arrive = defineEvent({
  from: ['ACCEPTED'],
  to: ['ARRIVED'],
  by: ['driver', 'admin'],
  isTripStep: true,
  logKey: 'perRevisionAfterFirst',
  input: { ...driverPosition, ...clientTimestamp, ...officeStepInput },
  needs: [],
  errors: ['driver_busy', ...OFFICE_STEP_ERRORS],
  isAvailable: ({ follows }) => follows === undefined,
  // The driver finishes another booking first.
  findRefusal: ({ follows }) => (follows === undefined ? undefined : domainError('driver_busy')),
})
