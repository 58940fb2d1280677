import { add_to_wallet } from './endpoints/addToWallet'
import { advance_booking } from './endpoints/advanceBooking'
import { broadcast_notification } from './endpoints/broadcastNotification'
import { check_user_exists } from './endpoints/checkUserExists'
import { complete_withdraw } from './endpoints/completeWithdraw'
import { create_booking } from './endpoints/createBooking'
import { delete_user } from './endpoints/deleteUser'
import { ensure_profile } from './endpoints/ensureProfile'
import { export_bookings } from './endpoints/exportBookings'
import { get_providers } from './endpoints/getProviders'
import {
  autocomplete,
  getaddress,
  getcoords,
  getdirections,
  getdistancematrix,
} from './endpoints/googleapis'
import { health } from './endpoints/health'
import { quote_payment } from './endpoints/quotePayment'
import { refund_payment } from './endpoints/refundPayment'
import { request_withdraw } from './endpoints/requestWithdraw'
import { resolve_payment } from './endpoints/resolvePayment'
import { run_sweep } from './endpoints/runSweep'
import { save_user } from './endpoints/saveUser'
import { send_notification } from './endpoints/sendNotification'
import { setup } from './endpoints/setup'
import { share_booking } from './endpoints/shareBooking'
import { start_payment } from './endpoints/startPayment'
import { track } from './endpoints/track'
import { user_signup } from './endpoints/userSignup'
import { validate_referrer } from './endpoints/validateReferrer'

/** Called with `httpsCallable`. */
export const callables = {
  create_booking,
  advance_booking,
  ensure_profile,
  quote_payment,
  start_payment,
  refund_payment,
  resolve_payment,
  add_to_wallet,
  request_withdraw,
  complete_withdraw,
  save_user,
  delete_user,
  share_booking,
  export_bookings,
  broadcast_notification,
  setup,
  run_sweep,
}
/** Plain JSON over POST. */
export const posted = {
  send_notification,
  validate_referrer,
  check_user_exists,
  user_signup,
}
/** The maps proxies: plain JSON over POST, named googleapis-… */
export const maps = { getaddress, getdirections, autocomplete, getcoords, getdistancematrix }
/** Plain JSON over GET. */
export const fetched = { get_providers, track, health }
