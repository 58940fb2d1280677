import { add_to_wallet } from '../endpoints/wallet/addToWallet'
import { advance_booking } from '../endpoints/bookings/advanceBooking'
import { answer_call } from '../endpoints/office/answerCall'
import { answer_panic } from '../endpoints/office/answerPanic'
import { booking_messages } from '../endpoints/bookings/bookingMessages'
import { broadcast_notification } from '../endpoints/messages/broadcastNotification'
import { caller } from '../endpoints/office/caller'
import { change_currency } from '../endpoints/office/changeCurrency'
import { change_recurring } from '../endpoints/recurring/changeRecurring'
import { import_bookings } from '../endpoints/imports/importBookings'
import { import_people } from '../endpoints/imports/importPeople'
import { list_recurring } from '../endpoints/recurring/listRecurring'
import { list_refusals } from '../endpoints/office/listRefusals'
import { save_recurring } from '../endpoints/recurring/saveRecurring'
import { check_user_exists } from '../endpoints/users/checkUserExists'
import { complete_withdraw } from '../endpoints/wallet/completeWithdraw'
import { create_booking } from '../endpoints/bookings/createBooking'
import { delete_user } from '../endpoints/users/deleteUser'
import { discard_registration } from '../endpoints/users/discardRegistration'
import { driver_parts } from '../endpoints/office/driverParts'
import { ensure_profile } from '../endpoints/users/ensureProfile'
import { explain_offer } from '../endpoints/office/explainOffer'
import { export_bookings } from '../endpoints/bookings/exportBookings'
import { fairness_report } from '../endpoints/office/fairnessReport'
import { find_bookings } from '../endpoints/bookings/findBookings'
import { find_caller } from '../endpoints/office/findCaller'
import { list_people } from '../endpoints/users/listPeople'
import { get_providers } from '../endpoints/payments/getProviders'
import {
  autocomplete,
  getaddress,
  getcoords,
  getdirections,
  getdistancematrix,
} from '../endpoints/maps/mapsProxies'
import { health } from '../endpoints/platform/health'
import { message_preferences } from '../endpoints/messages/messagePreferences'
import { message_settings } from '../endpoints/messages/messageSettings'
import { raise_panic } from '../endpoints/office/raisePanic'
import { quote_payment } from '../endpoints/payments/quotePayment'
import { refund_payment } from '../endpoints/payments/refundPayment'
import { end_sessions } from '../endpoints/users/endSessions'
import { register_push_token } from '../endpoints/users/registerPushToken'
import { request_withdraw } from '../endpoints/wallet/requestWithdraw'
import { resolve_payment } from '../endpoints/payments/resolvePayment'
import { run_sweep } from '../endpoints/platform/runSweep'
import { save_message_settings } from '../endpoints/messages/saveMessageSettings'
import { save_note } from '../endpoints/users/saveNote'
import { answer_help, ask_help, list_help, read_help } from '../endpoints/office/help'
import { save_place } from '../endpoints/users/savePlace'
import { add_booking_note } from '../endpoints/bookings/addBookingNote'
import { send_receipt } from '../endpoints/bookings/sendReceipt'
import { save_user } from '../endpoints/users/saveUser'
import { send_notification } from '../endpoints/messages/sendNotification'
import { setup } from '../endpoints/platform/setup'
import { share_booking } from '../endpoints/bookings/shareBooking'
import { start_payment } from '../endpoints/payments/startPayment'
import { take_from_wallet } from '../endpoints/wallet/takeFromWallet'
import { track } from '../endpoints/bookings/track'
import { user_signup } from '../endpoints/users/userSignup'
import { validate_referrer } from '../endpoints/users/validateReferrer'

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
