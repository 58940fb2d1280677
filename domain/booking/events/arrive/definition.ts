import { domainError } from '../../../api/errors'
import { clientTimestamp, defineEvent, driverPosition } from '../defineEvent'

/** The driver is at the pickup. */
export const arrive = defineEvent({
  from: ['ACCEPTED'],
  to: ['ARRIVED'],
  by: ['driver'],
  logKey: 'perRevisionAfterFirst',
  input: { ...driverPosition, ...clientTimestamp },
  needs: [],
  errors: ['driver_busy'],
  isAvailable: ({ follows }) => follows === undefined,
  // The driver finishes another booking first.
  findRefusal: ({ follows }) => (follows === undefined ? undefined : domainError('driver_busy')),
})
