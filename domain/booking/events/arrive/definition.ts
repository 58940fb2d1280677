import { domainError } from '../../../api/errors'
import { defineTripStep, driverPosition } from '../defineEvent'

/** The driver is at the pickup. */
export const arrive = defineTripStep({
  from: ['ACCEPTED'],
  to: ['ARRIVED'],
  logKey: 'perRevisionAfterFirst',
  input: driverPosition,
  needs: [],
  errors: ['driver_busy'],
  isAvailable: ({ follows }) => follows === undefined,
  // The driver finishes another booking first.
  findRefusal: ({ follows }) => (follows === undefined ? undefined : domainError('driver_busy')),
})
