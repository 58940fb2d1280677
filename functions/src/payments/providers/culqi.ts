import type { PaymentEvent } from '~/domain/payments/attempt'
import type { Checkout, CheckoutOrder, MakeAdapter } from '../adapter'
import { keysOf, ProviderFault } from '../adapter'
import { hidden, html, inScript } from '../html'
import { mustBe } from '../signing'
import type { Json } from '../talking'
import { basic, bearer, jsonOf, read, talk, talkOrFail, textAt } from '../talking'

const API = 'https://api.culqi.com/v2'
const CHECKOUT = 'https://js.culqi.com/checkout-js'
const THREE_DS = 'https://3ds.culqi.com'
const CULQI = 'https://*.culqi.com'
const GOOD = 'venta_exitosa'
/** Charges of one amount since an attempt began; a page of Culqi's list has no more. */
const LISTED = 100

const chargeEvents = (charge: Json): PaymentEvent[] => {
  if (textAt(charge, 'object') !== 'charge' || textAt(charge, 'outcome.type') !== GOOD) return []
  const paid: PaymentEvent = {
    payment: textAt(charge, 'metadata.payment'),
    gateway: 'culqi',
    ref: textAt(charge, 'id'),
    status: 'paid',
    minor: Number(read(charge, 'amount')),
    currency: textAt(charge, 'currency_code') || textAt(charge, 'currency'),
  }
  const back = Number(read(charge, 'amount_refunded')) || 0
  return back > 0 ? [paid, { ...paid, status: 'refunded', minor: back, cumulative: true }] : [paid]
}

const own = ({ id, customer }: CheckoutOrder, step: string, ...more: [string, string][]) =>
  hidden([['order_id', id], ['cust_id', customer.id], ['step', step], ...more])

/** Culqi's own window over a page of ours; it gives the form a token, never a card. */
const tokenPage = (order: CheckoutOrder, key: string): Checkout => {
  const { minor, currency, title, speech, customer, urls } = order
  return {
    kind: 'page',
    title: speech.say('payment'),
    body: html`<h1>${title}</h1>
      <p class="amount">${speech.money(minor, currency)}</p>
      <form id="pay" method="post" action="${urls.pay}">
        ${own(order, 'token', ['token', ''], ['device', ''])}
        <p id="problem" role="alert"></p>
        <button type="button" id="open">${speech.say('pay_by_card')}</button>
      </form>
      <p><a href="${urls.cancel}">${speech.say('leave')}</a></p>`.safe,
    script: {
      load: [CHECKOUT, THREE_DS],
      frames: [CULQI],
      connects: [CULQI],
      inlineStyles: true,
      code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
const config = ${inScript({
        settings: { title, currency, amount: minor },
        client: { email: customer.email },
        options: {
          lang: 'auto',
          installments: false,
          modal: true,
          paymentMethods: { tarjeta: true },
        },
      })}
const culqi = new CulqiCheckout(${inScript(key)}, config)
Culqi3DS.publicKey = ${inScript(key)}
const device = Promise.resolve().then(() => Culqi3DS.generateDevice()).catch(() => '')
culqi.culqi = async () => {
  if (culqi.token) {
    form.elements.token.value = culqi.token.id
    culqi.close()
    form.elements.device.value = (await device) || ''
    form.submit()
  } else problem.textContent = (culqi.error && culqi.error.user_message) || ${inScript(speech.say('card_refused'))}
}
document.getElementById('open').addEventListener('click', () => culqi.open())
`,
    },
  }
}

/** The bank's window, which Culqi's 3-D Secure library opens over a page of ours; it gives the form the bank's proof. */
const bankPage = (
  order: CheckoutOrder,
  key: string,
  { token, device = '' }: { token: string; device?: string | undefined },
): Checkout => {
  const { minor, currency, title, speech, customer, urls } = order
  return {
    kind: 'page',
    title: speech.say('bank_title'),
    body: html`<h1>${speech.say('bank_title')}</h1>
      <p>${title}</p>
      <p class="amount">${speech.money(minor, currency)}</p>
      <p>${speech.say('bank_text')}</p>
      <form id="pay" method="post" action="${urls.pay}">
        ${own(order, 'bank', ['token', token], ['device', device], ['proof', ''])}
        <p id="problem" role="alert"></p>
        <button type="button" id="open">${speech.say('bank_again')}</button>
      </form>
      <p><a href="${urls.cancel}">${speech.say('leave')}</a></p>`.safe,
    script: {
      load: [THREE_DS],
      // Each bank has a host of its own.
      frames: ['https:'],
      forms: ['https:'],
      connects: [CULQI, 'https://*.cardinalcommerce.com'],
      inlineStyles: true,
      code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
Culqi3DS.publicKey = ${inScript(key)}
Culqi3DS.settings = ${inScript({
        charge: { totalAmount: minor, currency, returnUrl: urls.pay },
        card: { email: customer.email },
      })}
let sent = false
window.addEventListener('message', (event) => {
  if (event.origin !== window.location.origin || sent) return
  const { parameters3DS, error } = event.data || {}
  if (parameters3DS) {
    sent = true
    form.elements.proof.value = JSON.stringify(parameters3DS)
    form.submit()
  } else if (error) problem.textContent = ${inScript(speech.say('bank_failed'))}
})
const open = () => { problem.textContent = ''; Culqi3DS.initAuthentication(${inScript(token)}) }
document.getElementById('open').addEventListener('click', open)
open()
`,
    },
  }
}

const PROOF = ['eci', 'xid', 'cavv', 'protocolVersion', 'directoryServerTransactionId'] as const

/** What the bank's window gave, as the charge wants it; null when it is no such thing. */
const proofOf = (text: string): Record<string, string> | null => {
  let given: Json = null
  try {
    given = JSON.parse(text) as Json
  } catch {
    return null
  }
  const proof = Object.fromEntries(
    PROOF.map((name) => [name, textAt(given, name).slice(0, 200)]).filter(([, value]) => value),
  ) as Record<string, string>
  return Object.keys(proof).length > 0 ? proof : null
}

type Charged = { event: PaymentEvent } | 'asks_bank'

/** Culqi (Peru): its window makes a token on our page, our server charges it. Messages are not signed, so they are only hints. */
export const culqi: MakeAdapter = (env, outside) => {
  const keys = keysOf(
    env,
    'CULQI_PUBLIC_KEY',
    'CULQI_SECRET_KEY',
    'CULQI_WEBHOOK_USER',
    'CULQI_WEBHOOK_PASS',
  )
  if (!keys) return null
  const headers = bearer(keys.CULQI_SECRET_KEY)
  const nothing = ({ id, minor, currency }: CheckoutOrder, ref: string): PaymentEvent => ({
    payment: id,
    gateway: 'culqi',
    // A token may fail more than once, and each time is news.
    ref: ref || `try_${outside.token()}`,
    status: 'failed',
    minor,
    currency,
  })
  const charge = async (
    order: CheckoutOrder,
    token: string,
    more: { device?: string; proof?: Record<string, string> },
  ): Promise<Charged> => {
    const { id, minor, currency, customer } = order
    const phone = customer.phone.replace(/\D/g, '').slice(-15)
    const { status, json } = await talk(outside.fetch, `${API}/charges`, {
      headers,
      json: {
        amount: minor,
        currency_code: currency,
        email: customer.email,
        source_id: token,
        capture: true,
        antifraud_details: {
          ...(customer.first && { first_name: customer.first }),
          ...(customer.last && { last_name: customer.last }),
          ...(phone.length >= 5 && { phone_number: phone }),
          ...(more.device && { device_finger_print_id: more.device }),
        },
        metadata: { payment: id },
        ...(more.proof && { authentication_3DS: more.proof }),
      },
    })
    if (status === 200 && textAt(json, 'action_code') === 'REVIEW') return 'asks_bank'
    const [event] = status === 201 ? chargeEvents(json) : []
    return { event: event?.ref ? event : nothing(order, textAt(json, 'charge_id')) }
  }
  const chargeOf = async (id: string): Promise<Json> =>
    (await talkOrFail(outside.fetch, `${API}/charges/${encodeURIComponent(id)}`, { headers })).json
  return {
    id: 'culqi',
    supports: (currency) => currency === 'PEN' || currency === 'USD',
    checkout: (order) => Promise.resolve(tokenPage(order, keys.CULQI_PUBLIC_KEY)),
    charges: true,
    async submitted(order, form) {
      const token = form.get('token') ?? ''
      if (!/^(tkn|ype|crd)_[A-Za-z0-9_]{1,80}$/.test(token))
        throw new ProviderFault('There is no token.')
      const [device] = /^[A-Za-z0-9-]{1,80}$/.exec(form.get('device') ?? '') ?? []
      const isBack = form.get('step') === 'bank'
      const proof = isBack ? proofOf(form.get('proof') ?? '') : null
      if (isBack && !proof) return { event: nothing(order, ''), next: 'return' }
      const charged = await charge(order, token, {
        ...(device && { device }),
        ...(proof && { proof }),
      })
      if (charged !== 'asks_bank') return { ...charged, next: 'return' }
      // Nothing is charged until the bank has said yes: who leaves its window can begin again.
      const event = nothing(order, '')
      return isBack
        ? { event, next: 'return' }
        : { event, next: bankPage(order, keys.CULQI_PUBLIC_KEY, { token, device }) }
    },
    async ask({ payment, minor, currency, createdAt }) {
      const query = new URLSearchParams({
        amount: String(minor),
        currency_code: currency,
        creation_date_from: String(createdAt - 60_000),
        limit: String(LISTED),
      })
      const { json } = await talkOrFail(outside.fetch, `${API}/charges?${query.toString()}`, {
        headers,
      })
      const listed = read(json, 'data')
      if (!Array.isArray(listed)) throw new ProviderFault('Culqi sent no list.')
      const events = (listed as Json[]).flatMap((each) => chargeEvents(each))
      return events.find((event) => event.payment === payment && event.status === 'paid') ?? null
    },
    async notified({ headers: given, body }) {
      const { Authorization } = basic(keys.CULQI_WEBHOOK_USER, keys.CULQI_WEBHOOK_PASS)
      mustBe(given.authorization, Authorization)
      const json = jsonOf(body)
      const said = read(json, 'data')
      const subject = typeof said === 'string' ? jsonOf(said) : said
      const id = [textAt(subject, 'id'), textAt(subject, 'charge_id')].find((each) =>
        /^chr_[A-Za-z0-9_]{1,80}$/.test(each),
      )
      if (!id) return { events: [] }
      const events = chargeEvents(await chargeOf(id))
      return { events: events[0]?.payment ? events : [] }
    },
    async refund({ payment, ref = '', currency, refunded }, minor) {
      const gone = Number(read(await chargeOf(ref), 'amount_refunded')) || 0
      // An earlier answer may have been lost: what has gone back already is not sent again.
      if (gone < refunded + minor)
        await talkOrFail(outside.fetch, `${API}/refunds`, {
          headers,
          json: { amount: minor, charge_id: ref, reason: 'solicitud_comprador' },
        })
      return {
        payment,
        gateway: 'culqi',
        ref,
        status: 'refunded',
        minor: refunded + minor,
        currency,
        cumulative: true,
      }
    },
  }
}
