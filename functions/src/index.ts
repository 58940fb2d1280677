// Lists the API: each line is one deployed function.
import { createCallable } from './http/callable'
import { syncRoleClaim } from './services/users/roleClaims'
import * as definitions from './http/endpointList'
import { MATRIX_ELEMENT_LIMIT } from './endpoints/maps/mapsProxies'
import { createHttpEndpoint } from './http/httpEndpoint'
import { syncRole, syncDirectoryEntry } from './services/users/directorySync'
import { PROVIDER_IDS } from './ports/paymentAdapter'
import {
  checkoutHandler,
  returnHandler,
  webhookHandler,
} from './endpoints/payments/pages/httpHandlers'
import {
  onAuditedValueWritten,
  onChatMessageCreated,
  driverAvailable,
  onFileUploaded,
  onMessageCreated,
  endOfShift,
  maintenancePass,
  scheduledFileCleanup,
  scheduledMaintenance,
} from './triggers/triggers'
import { createDependencies } from './dependencies'
import { localMessagesHandler } from './endpoints/messages/localMessages'
import { createOutgoingStore } from './adapters/messages/localService'
import { readMessageKeys } from './adapters/messages/messageKeys'
import { createOutboxSender } from './services/messages/outboxSender'
import { messageWebhookHandler } from './endpoints/messages/webhookHandler'
import { createEmulatorStore } from './adapters/firebase/localPush'

// Express rejects broken JSON before our code runs, and reveals our file paths unless it knows that
// this is production.
process.env.NODE_ENV ||= 'production'

const { callables, httpGet: fetched, mapsProxies: maps, httpPost: posted } = definitions
const ports = createDependencies(process.env)

export const create_booking = createCallable(callables.create_booking, ports)
export const advance_booking = createCallable(callables.advance_booking, ports)
export const ensure_profile = createCallable(callables.ensure_profile, ports)
export const discard_registration = createCallable(callables.discard_registration, ports)
export const register_push_token = createCallable(callables.register_push_token, ports)
export const end_sessions = createCallable(callables.end_sessions, ports)
export const quote_payment = createCallable(callables.quote_payment, ports)
export const start_payment = createCallable(callables.start_payment, ports)
export const refund_payment = createCallable(callables.refund_payment, ports)
export const resolve_payment = createCallable(callables.resolve_payment, ports)
export const add_to_wallet = createCallable(callables.add_to_wallet, ports)
export const take_from_wallet = createCallable(callables.take_from_wallet, ports)
export const request_withdraw = createCallable(callables.request_withdraw, ports)
export const complete_withdraw = createCallable(callables.complete_withdraw, ports)
export const save_user = createCallable(callables.save_user, ports)
export const import_people = createCallable(callables.import_people, ports)
export const import_bookings = createCallable(callables.import_bookings, ports)
export const delete_user = createCallable(callables.delete_user, ports)
export const share_booking = createCallable(callables.share_booking, ports)
export const export_bookings = createCallable(callables.export_bookings, ports)
export const find_bookings = createCallable(callables.find_bookings, ports)
export const find_caller = createCallable(callables.find_caller, ports)
export const list_people = createCallable(callables.list_people, ports)
export const save_note = createCallable(callables.save_note, ports)
export const save_place = createCallable(callables.save_place, ports)
export const ask_help = createCallable(callables.ask_help, ports)
export const answer_help = createCallable(callables.answer_help, ports)
export const read_help = createCallable(callables.read_help, ports)
export const list_help = createCallable(callables.list_help, ports)
export const list_refusals = createCallable(callables.list_refusals, ports)
export const add_booking_note = createCallable(callables.add_booking_note, ports)
export const send_receipt = createCallable(callables.send_receipt, ports)
export const answer_call = createCallable(callables.answer_call, ports)
export const raise_panic = createCallable(callables.raise_panic, ports)
export const answer_panic = createCallable(callables.answer_panic, ports)
export const explain_offer = createCallable(callables.explain_offer, ports)
export const driver_parts = createCallable(callables.driver_parts, ports)
export const fairness_report = createCallable(callables.fairness_report, ports)
export const broadcast_notification = createCallable(callables.broadcast_notification, ports)
export const change_currency = createCallable(callables.change_currency, ports)
export const message_settings = createCallable(callables.message_settings, ports)
export const save_message_settings = createCallable(callables.save_message_settings, ports)
export const booking_messages = createCallable(callables.booking_messages, ports)
export const message_preferences = createCallable(callables.message_preferences, ports)
export const save_recurring = createCallable(callables.save_recurring, ports)
export const change_recurring = createCallable(callables.change_recurring, ports)
export const list_recurring = createCallable(callables.list_recurring, ports)
export const setup = createCallable(callables.setup, ports)
export const run_sweep = createCallable(callables.run_sweep, ports)

export const send_notification = createHttpEndpoint(posted.send_notification, ports)
export const validate_referrer = createHttpEndpoint(posted.validate_referrer, ports)
export const check_user_exists = createHttpEndpoint(posted.check_user_exists, ports)
export const user_signup = createHttpEndpoint(posted.user_signup, ports)
export const caller = createHttpEndpoint(posted.caller, ports)
export const get_providers = createHttpEndpoint(fetched.get_providers, ports, 'GET')
export const track = createHttpEndpoint(fetched.track, ports, 'GET')
export const health = createHttpEndpoint(fetched.health, ports, 'GET')

// For browsers and payment providers: pages, redirects and messages instead of our JSON.
export const pay_paypal = checkoutHandler('paypal', ports)
export const pay_braintree = checkoutHandler('braintree', ports)
export const pay_stripe = checkoutHandler('stripe', ports)
export const pay_paytm = checkoutHandler('paytm', ports)
export const pay_payulatam = checkoutHandler('payulatam', ports)
export const pay_flutterwave = checkoutHandler('flutterwave', ports)
export const pay_paystack = checkoutHandler('paystack', ports)
export const pay_securepay = checkoutHandler('securepay', ports)
export const pay_payfast = checkoutHandler('payfast', ports)
export const pay_liqpay = checkoutHandler('liqpay', ports)
export const pay_culqi = checkoutHandler('culqi', ports)
export const pay_mercadopago = checkoutHandler('mercadopago', ports)
/** Exists in local mode only and is not deployed. */
export const pay_test = ports.config.isLocal ? checkoutHandler('test', ports) : undefined
/** The inbox of local mode, which is not deployed. */
export const local_messages = ports.config.isLocal
  ? localMessagesHandler(
      createEmulatorStore(process.env),
      createOutgoingStore(process.env),
      ports.texts,
    )
  : undefined
export const payment_return = returnHandler(ports)
export const payment_webhook = webhookHandler(ports)
export const message_webhook = messageWebhookHandler(ports, () => readMessageKeys(process.env))

/** Deployed as googleapis-getaddress and similar names. */
export const googleapis = {
  getaddress: createHttpEndpoint(maps.getaddress, ports),
  getdirections: createHttpEndpoint(maps.getdirections, ports),
  autocomplete: createHttpEndpoint(maps.autocomplete, ports),
  getcoords: createHttpEndpoint(maps.getcoords, ports),
  getdistancematrix: createHttpEndpoint(maps.getdistancematrix, ports),
}

/**
 * Deployed as audit_trail-settings and similar names. `approved` is created and removed together
 * with a user's record, so this trigger also lists a person and sets their role when a console or
 * an import bypasses the functions.
 */
export const audit_trail = {
  settings: onAuditedValueWritten('settings', ports),
  cartypes: onAuditedValueWritten('cartypes/{id}', ports),
  promos: onAuditedValueWritten('promos/{id}', ports),
  languages: onAuditedValueWritten('languages/{id}', ports),
  cancel_reason: onAuditedValueWritten('cancel_reason', ports),
  notifications: onAuditedValueWritten('notifications/{id}', ports),
  approved: onAuditedValueWritten('users/{id}/approved', ports, async (db, id) => {
    await Promise.all([syncDirectoryEntry(db, id), syncRole(db, id), syncRoleClaim(ports, id)])
  }),
  usertype: onAuditedValueWritten('users/{id}/usertype', ports, async (db, id) => {
    await Promise.all([syncRole(db, id), syncRoleClaim(ports, id)])
  }),
  fleetadmin: onAuditedValueWritten('users/{id}/fleetadmin', ports, syncDirectoryEntry),
  cartype_of: onAuditedValueWritten('users/{id}/carType', ports),
}

export const notify_of_message = onChatMessageCreated(ports)
export const send_message = onMessageCreated(createOutboxSender(ports))
export const end_of_shift = endOfShift(ports)
export const driver_available = driverAvailable(ports)

const rateLimitedNames = [
  ...[callables, posted, fetched, maps].flatMap((group: Record<string, { name: string }>) =>
    Object.values(group).map(({ name }) => name),
  ),
  ...PROVIDER_IDS.map((provider) => `pay_${provider}`),
  'payment_return',
  'payment_webhook',
  'message_webhook',
  MATRIX_ELEMENT_LIMIT.name,
]
export const sweep = scheduledMaintenance(ports, rateLimitedNames)
/** Exists in production only: the local timer runs the whole maintenance every 15 seconds. */
export const sweep_pass = ports.config.isLocal ? undefined : maintenancePass(ports)
export const sweep_files = scheduledFileCleanup(ports)
/** A project without a bucket has no uploads. The local file store calls no trigger. */
export const check_upload = ports.config.bucket
  ? onFileUploaded(ports, ports.config.bucket)
  : undefined
