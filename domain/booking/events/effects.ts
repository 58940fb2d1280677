import type { Result } from '../../api/result'
import { amendBooking } from './amend/run'
import type { BookingChange, BookingError } from '../eventTypes'
import type { BookingEvent } from '../transitions'
import type { EventInputFor } from '../eventInput'
import type { EventArgs } from '../eventArgs'
import { arriveAtPickup } from './arrive/run'
import { finishTrip } from './finish/run'
import { arriveAtDrop } from './reach/run'
import { startTrip } from './start/run'
import { rateDriver } from './rate/run'
import { refundCardPayment } from './refund/run'
import { reinstateCardPayment } from './reinstate/run'
import { reviewFare } from './review/run'
import { acceptOffer } from './accept/run'
import { declineOffer } from './decline/run'
import { offerToDrivers } from './dispatch/run'
import { withdraw } from './withdraw/run'
import { collectCash } from './collect/run'
import { payBooking } from './pay/run'
import { handBackBooking } from './handBack/run'
import { goOnWaiting } from './keepWaiting/run'
import { takeBooking } from './take/run'
import { cancelBooking } from './cancel/run'
import { endAsNoShow } from './noShow/run'
import { expireBooking } from './expire/run'
import { assignDriver } from './assign/run'
import { releaseBooking } from './release/run'
import { tipDriver } from './tip/run'
import { compensateBooking } from './compensate/run'
import { passStop } from './passStop'

/** The effects of each event. Reading a part of the context that it does not load is an error. */
export const EFFECTS: {
  [Event in Exclude<BookingEvent, 'create'>]: (
    args: EventArgs<Event>,
    input: EventInputFor<Event>,
  ) => Result<BookingChange, BookingError>
} = {
  pay: payBooking,
  amend: amendBooking,
  dispatch: offerToDrivers,
  take: takeBooking,
  hand_back: handBackBooking,
  keep_waiting: goOnWaiting,
  assign: assignDriver,
  accept: acceptOffer,
  decline: declineOffer,
  withdraw,
  release: releaseBooking,
  arrive: arriveAtPickup,
  start: startTrip,
  arrive_stop: passStop,
  leave_stop: passStop,
  skip_stop: passStop,
  reach: arriveAtDrop,
  finish: finishTrip,
  collect: collectCash,
  rate: rateDriver,
  refund: refundCardPayment,
  reinstate: reinstateCardPayment,
  cancel: cancelBooking,
  no_show: endAsNoShow,
  expire: expireBooking,
  review: reviewFare,
  compensate: compensateBooking,
  tip: tipDriver,
}
