import { add_to_wallet } from '../endpoints/addToWallet'
import { advance_booking } from '../endpoints/advanceBooking'
import { answer_call } from '../endpoints/answerCall'
import { answer_panic } from '../endpoints/answerPanic'
import { booking_messages } from '../endpoints/bookingMessages'
import { broadcast_notification } from '../endpoints/broadcastNotification'
import { caller } from '../endpoints/caller'
import { change_currency } from '../endpoints/changeCurrency'
import { change_recurring } from '../endpoints/changeRecurring'
import { import_bookings } from '../endpoints/imports/importBookings'
import { import_people } from '../endpoints/imports/importPeople'
import { list_recurring } from '../endpoints/listRecurring'
import { list_refusals } from '../endpoints/listRefusals'
import { save_recurring } from '../endpoints/saveRecurring'
import { check_user_exists } from '../endpoints/checkUserExists'
import { complete_withdraw } from '../endpoints/completeWithdraw'
import { create_booking } from '../endpoints/createBooking'
import { delete_user } from '../endpoints/deleteUser'
import { discard_registration } from '../endpoints/discardRegistration'
import { driver_parts } from '../endpoints/driverParts'
import { ensure_profile } from '../endpoints/ensureProfile'
import { explain_offer } from '../endpoints/explainOffer'
import { export_bookings } from '../endpoints/exportBookings'
import { fairness_report } from '../endpoints/fairnessReport'
import { find_bookings } from '../endpoints/findBookings'
import { find_caller } from '../endpoints/findCaller'
import { list_people } from '../endpoints/listPeople'
import { get_providers } from '../endpoints/getProviders'
import {
  autocomplete,
  getaddress,
  getcoords,
  getdirections,
  getdistancematrix,
} from '../endpoints/mapsProxies'
import { health } from '../endpoints/health'
import { message_preferences } from '../endpoints/messagePreferences'
import { message_settings } from '../endpoints/messageSettings'
import { raise_panic } from '../endpoints/raisePanic'
import { quote_payment } from '../endpoints/quotePayment'
import { refund_payment } from '../endpoints/refundPayment'
import { end_sessions } from '../endpoints/endSessions'
import { register_push_token } from '../endpoints/registerPushToken'
import { request_withdraw } from '../endpoints/requestWithdraw'
import { resolve_payment } from '../endpoints/resolvePayment'
import { run_sweep } from '../endpoints/runSweep'
import { save_message_settings } from '../endpoints/saveMessageSettings'
import { save_note } from '../endpoints/saveNote'
import { answer_help, ask_help, list_help, read_help } from '../riders/help'
import { save_place } from '../riders/savePlace'
import { add_booking_note } from '../endpoints/addBookingNote'
import { send_receipt } from '../endpoints/sendReceipt'
import { save_user } from '../endpoints/saveUser'
import { send_notification } from '../endpoints/sendNotification'
import { setup } from '../endpoints/setup'
import { share_booking } from '../endpoints/shareBooking'
import { start_payment } from '../endpoints/startPayment'
import { take_from_wallet } from '../endpoints/takeFromWallet'
import { track } from '../endpoints/track'
import { user_signup } from '../endpoints/userSignup'
import { validate_referrer } from '../endpoints/validateReferrer'

/** Endpoints that clients call with `httpsCallable`. */
export const callables = {
  create_booking,
  advance_booking,
  ensure_profile,
  discard_registration,
  register_push_token,
  end_sessions,
  quote_payment,
  start_payment,
  refund_payment,
  resolve_payment,
  add_to_wallet,
  take_from_wallet,
  request_withdraw,
  complete_withdraw,
  save_user,
  import_people,
  import_bookings,
  delete_user,
  share_booking,
  export_bookings,
  find_bookings,
  find_caller,
  list_people,
  save_note,
  save_place,
  ask_help,
  answer_help,
  read_help,
  list_help,
  list_refusals,
  add_booking_note,
  send_receipt,
  answer_call,
  raise_panic,
  answer_panic,
  explain_offer,
  driver_parts,
  fairness_report,
  broadcast_notification,
  change_currency,
  message_settings,
  save_message_settings,
  booking_messages,
  message_preferences,
  save_recurring,
  change_recurring,
  list_recurring,
  setup,
  run_sweep,
}
/** Endpoints with plain JSON over POST. */
export const httpPost = {
  send_notification,
  validate_referrer,
  check_user_exists,
  user_signup,
  caller,
}
/** The maps proxies: plain JSON over POST, deployed as googleapis-… */
export const mapsProxies = { getaddress, getdirections, autocomplete, getcoords, getdistancematrix }
/** Endpoints with plain JSON over GET. */
export const httpGet = { get_providers, track, health }
