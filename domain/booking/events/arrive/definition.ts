import * as v from 'valibot'
import { domainError } from '../../../api/errors'
import { bookingRef } from '../../../api/inputFields'
import { clientTimestamp, defineEvent, driverPosition } from '../defineEvent'

/** The driver is at the pickup. */
export const arrive = defineEvent({
  from: ['ACCEPTED'],
  to: ['ARRIVED'],
  by: ['driver'],
  logKey: 'perRevisionAfterFirst',
  needs: [],
  errors: ['driver_busy'],
  isAvailable: ({ follows }) => follows === undefined,
  // The driver finishes another booking first.
  findRefusal: ({ follows }) => (follows === undefined ? undefined : domainError('driver_busy')),
})

export const arriveInput = v.strictObject({
  ...bookingRef,
  event: v.literal('arrive'),
  ...driverPosition,
  ...clientTimestamp,
})
