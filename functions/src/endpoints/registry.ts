import { add_to_wallet } from './wallet/addToWallet'
import { advance_booking } from './bookings/advanceBooking'
import { answer_call } from './office/answerCall'
import { answer_panic } from './office/answerPanic'
import { booking_messages } from './bookings/bookingMessages'
import { broadcast_notification } from './messages/broadcastNotification'
import { caller } from './office/caller'
import { change_currency } from './office/changeCurrency'
import { change_recurring } from './recurring/changeRecurring'
import { import_bookings } from './imports/importBookings'
import { import_people } from './imports/importPeople'
import { list_recurring } from './recurring/listRecurring'
import { begin_export } from './office/beginExport'
import { list_refusals } from './office/listRefusals'
import { save_recurring } from './recurring/saveRecurring'
import { check_user_exists } from './users/checkUserExists'
import { complete_withdraw } from './wallet/completeWithdraw'
import { return_withdraw } from './wallet/returnWithdraw'
import { create_booking } from './bookings/createBooking'
import { delete_user } from './users/deleteUser'
import { discard_registration } from './users/discardRegistration'
import { driver_parts } from './office/driverParts'
import { ensure_profile } from './users/ensureProfile'
import { explain_offer } from './office/explainOffer'
import { export_bookings } from './bookings/exportBookings'
import { fairness_report } from './office/fairnessReport'
import { find_bookings } from './bookings/findBookings'
import { find_caller } from './office/findCaller'
import { list_people } from './users/listPeople'
import { get_providers } from './payments/getProviders'
import {
  autocomplete,
  getaddress,
  getcoords,
  getdirections,
  getdistancematrix,
} from './maps/mapsProxies'
import { health } from './platform/health'
import { message_preferences } from './messages/messagePreferences'
import { message_settings } from './messages/messageSettings'
import { raise_panic } from './office/raisePanic'
import { quote_payment } from './payments/quotePayment'
import { refund_payment } from './payments/refundPayment'
import { end_sessions } from './users/endSessions'
import { register_push_token } from './users/registerPushToken'
import { request_withdraw } from './wallet/requestWithdraw'
import { resolve_payment } from './payments/resolvePayment'
import { run_sweep } from './platform/runSweep'
import { save_message_settings } from './messages/saveMessageSettings'
import { save_note } from './users/saveNote'
import { answer_help, ask_help, list_help, read_help } from './office/help'
import { save_place } from './users/savePlace'
import { add_booking_note } from './bookings/addBookingNote'
import { send_receipt } from './bookings/sendReceipt'
import { save_user } from './users/saveUser'
import { send_notification } from './messages/sendNotification'
import { send_office_message } from './messages/sendOfficeMessage'
import { setup } from './platform/setup'
import { share_booking } from './bookings/shareBooking'
import { start_payment } from './payments/startPayment'
import { take_from_wallet } from './wallet/takeFromWallet'
import { track } from './bookings/track'
import { user_signup } from './users/userSignup'
import { validate_referrer } from './users/validateReferrer'

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
  return_withdraw,
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
  begin_export,
  list_refusals,
  add_booking_note,
  send_office_message,
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
