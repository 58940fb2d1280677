import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText } from '~/domain/payments/currency'
import type { CheckoutOrder, MakeAdapter } from '../adapter'
import { keysOf, ProviderFault } from '../adapter'
import { hidden, html, inScript } from '../html'
import { mustBe } from '../signing'
import type { Json } from '../talking'
import { basic, bearer, jsonOf, read, talk, talkOrFail, textAt } from '../talking'

const API = 'https://api.culqi.com/v2'
const CHECKOUT = 'https://js.culqi.com/checkout-js'
const CULQI = 'https://*.culqi.com'

const chargeEvents = (charge: Json): PaymentEvent[] => {
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

/** Culqi's own window over a page of ours; it gives the form a token, never a card. */
const pageOf = (
  { id, minor, currency, description, customer, urls }: CheckoutOrder,
  key: string,
) => ({
  kind: 'page' as const,
  title: 'Payment',
  body: html`<h1>${description}</h1>
    <p class="amount">${currency} ${decimalText(minor, 2)}</p>
    <form id="pay" method="post" action="${urls.pay}">
      ${hidden([
        ['order_id', id],
        ['cust_id', customer.id],
        ['step', 'token'],
        ['token', ''],
      ])}
      <p id="problem" role="alert"></p>
      <button type="button" id="open">Pay by card</button>
    </form>
    <p><a href="${urls.cancel}">Cancel and go back</a></p>`.safe,
  script: {
    load: [CHECKOUT],
    frames: [CULQI],
    connects: [CULQI],
    inlineStyles: true,
    code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
const config = ${inScript({
      settings: { title: description, currency, amount: minor },
      client: { email: customer.email },
      options: {
        lang: 'auto',
        installments: false,
        modal: true,
        paymentMethods: { tarjeta: true },
      },
    })}
const culqi = new CulqiCheckout(${inScript(key)}, config)
culqi.culqi = () => {
  if (culqi.token) { form.elements.token.value = culqi.token.id; culqi.close(); form.submit() }
  else problem.textContent = (culqi.error && culqi.error.user_message) || 'The card was not accepted.'
}
document.getElementById('open').addEventListener('click', () => culqi.open())
`,
  },
})

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
  const charge = async ({ id, minor, currency, customer }: CheckoutOrder, token: string) => {
    const reply = await talk(outside.fetch, `${API}/charges`, {
      headers,
      json: {
        amount: minor,
        currency_code: currency,
        email: customer.email,
        source_id: token,
        capture: true,
        metadata: { payment: id },
      },
    })
    const [event] = textAt(reply.json, 'object') === 'charge' ? chargeEvents(reply.json) : []
    if (reply.ok && event?.ref) return event
    // A refused card, or one whose bank wants a check that this page does not have: nothing was charged.
    const ref = textAt(reply.json, 'charge_id') || token
    return { payment: id, gateway: 'culqi', ref, status: 'failed', minor, currency } as const
  }
  return {
    id: 'culqi',
    supports: (currency) => currency === 'PEN' || currency === 'USD',
    checkout: (order) => Promise.resolve(pageOf(order, keys.CULQI_PUBLIC_KEY)),
    charges: true,
    async submitted(order, form) {
      const token = form.get('token') ?? ''
      if (!/^(tkn|ype|crd)_[A-Za-z0-9_]{1,80}$/.test(token))
        throw new ProviderFault('There is no token.')
      return { event: await charge(order, token), next: 'return' }
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
      const reply = await talkOrFail(outside.fetch, `${API}/charges/${id}`, { headers })
      const events = chargeEvents(reply.json)
      return { events: events[0]?.payment ? events : [] }
    },
    async refund({ payment, ref = '', currency, refunded }, minor) {
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
