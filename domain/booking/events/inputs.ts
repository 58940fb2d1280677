import * as v from 'valibot'
import { acceptInput } from './accept/definition'
import { amendInput } from './amend/definition'
import { arriveInput } from './arrive/definition'
import { arriveStopInput } from './arriveStop/definition'
import { assignInput } from './assign/definition'
import { cancelInput } from './cancel/definition'
import { collectInput } from './collect/definition'
import { compensateInput } from './compensate/definition'
import { declineInput } from './decline/definition'
import { finishInput } from './finish/definition'
import { leaveStopInput } from './leaveStop/definition'
import { payInput } from './pay/definition'
import { rateInput } from './rate/definition'
import { reachInput } from './reach/definition'
import { releaseInput } from './release/definition'
import { reviewInput } from './review/definition'
import { skipStopInput } from './skipStop/definition'
import { startInput } from './start/definition'
import { tipInput } from './tip/definition'
import { withdrawInput } from './withdraw/definition'

/** The input of the endpoint that applies an event: one of those that people send. */
export const advanceBookingSchema = v.variant('event', [
  assignInput,
  withdrawInput,
  acceptInput,
  declineInput,
  releaseInput,
  arriveInput,
  startInput,
  arriveStopInput,
  leaveStopInput,
  skipStopInput,
  reachInput,
  finishInput,
  collectInput,
  payInput,
  rateInput,
  cancelInput,
  amendInput,
  reviewInput,
  compensateInput,
  tipInput,
])
export type AdvanceBookingInput = v.InferOutput<typeof advanceBookingSchema>
/** The events that people send. */
export const SENT_EVENTS = advanceBookingSchema.options.map(({ entries }) => entries.event.literal)
