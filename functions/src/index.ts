// The API's table of contents: each line is one function of the deploy.
import { callable } from './callable'
import * as definitions from './definitions'
import { endpoint } from './endpoint'
import { listPerson } from './listing'
import { PROVIDERS } from './payments/adapter'
import { payDoor, returnDoor, webhookDoor } from './payments/doors'
import { auditTrail, chatTeller, everyMinute } from './triggers'
import { wiring } from './wiring'

// Express answers broken JSON before our code sees it, with our files' places unless it knows this is production.
process.env.NODE_ENV ||= 'production'

const { callables, fetched, maps, posted } = definitions
const ports = wiring(process.env)

export const create_booking = callable(callables.create_booking, ports)
export const advance_booking = callable(callables.advance_booking, ports)
export const ensure_profile = callable(callables.ensure_profile, ports)
export const quote_payment = callable(callables.quote_payment, ports)
export const start_payment = callable(callables.start_payment, ports)
export const refund_payment = callable(callables.refund_payment, ports)
export const resolve_payment = callable(callables.resolve_payment, ports)
export const add_to_wallet = callable(callables.add_to_wallet, ports)
export const request_withdraw = callable(callables.request_withdraw, ports)
export const complete_withdraw = callable(callables.complete_withdraw, ports)
export const save_user = callable(callables.save_user, ports)
export const delete_user = callable(callables.delete_user, ports)
export const share_booking = callable(callables.share_booking, ports)
export const export_bookings = callable(callables.export_bookings, ports)
export const broadcast_notification = callable(callables.broadcast_notification, ports)
export const setup = callable(callables.setup, ports)
export const run_sweep = callable(callables.run_sweep, ports)

export const send_notification = endpoint(posted.send_notification, ports)
export const validate_referrer = endpoint(posted.validate_referrer, ports)
export const check_user_exists = endpoint(posted.check_user_exists, ports)
export const user_signup = endpoint(posted.user_signup, ports)
export const get_providers = endpoint(fetched.get_providers, ports, 'GET')
export const track = endpoint(fetched.track, ports, 'GET')
export const health = endpoint(fetched.health, ports, 'GET')

// For browsers and payment providers: pages, redirects and messages, no JSON of ours.
export const pay_paypal = payDoor('paypal', ports)
export const pay_braintree = payDoor('braintree', ports)
export const pay_stripe = payDoor('stripe', ports)
export const pay_paytm = payDoor('paytm', ports)
export const pay_payulatam = payDoor('payulatam', ports)
export const pay_flutterwave = payDoor('flutterwave', ports)
export const pay_paystack = payDoor('paystack', ports)
export const pay_securepay = payDoor('securepay', ports)
export const pay_payfast = payDoor('payfast', ports)
export const pay_liqpay = payDoor('liqpay', ports)
export const pay_culqi = payDoor('culqi', ports)
export const pay_mercadopago = payDoor('mercadopago', ports)
/** Not deployed: it is there in local mode only. */
export const pay_test = ports.config.local ? payDoor('test', ports) : undefined
export const payment_return = returnDoor(ports)
export const payment_webhook = webhookDoor(ports)

/** Deployed as googleapis-getaddress and so on. */
export const googleapis = {
  getaddress: endpoint(maps.getaddress, ports),
  getdirections: endpoint(maps.getdirections, ports),
  autocomplete: endpoint(maps.autocomplete, ports),
  getcoords: endpoint(maps.getcoords, ports),
  getdistancematrix: endpoint(maps.getdistancematrix, ports),
}

/**
 * Deployed as audit_trail-settings and so on. `approved` comes and goes with somebody's record, so whoever is made or removed
 * past the functions, in a console or by an import, is listed by its trail.
 */
export const audit_trail = {
  settings: auditTrail('settings', ports),
  cartypes: auditTrail('cartypes/{id}', ports),
  promos: auditTrail('promos/{id}', ports),
  languages: auditTrail('languages/{id}', ports),
  cancel_reason: auditTrail('cancel_reason', ports),
  notifications: auditTrail('notifications/{id}', ports),
  approved: auditTrail('users/{id}/approved', ports, listPerson),
  fleetadmin: auditTrail('users/{id}/fleetadmin', ports, listPerson),
  cartype_of: auditTrail('users/{id}/carType', ports),
}

export const tell_of_message = chatTeller(ports)

const limited = [
  ...[callables, posted, fetched, maps].flatMap((group) =>
    Object.values(group).map(({ name }) => name),
  ),
  ...PROVIDERS.map((provider) => `pay_${provider}`),
  'payment_return',
  'payment_webhook',
]
export const sweep = everyMinute(ports, limited)
