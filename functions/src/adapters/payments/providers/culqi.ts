import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import type {
  Checkout,
  CheckoutOrder,
  PaymentRef,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import { readKeys, ProviderError } from '../../../ports/paymentAdapter'
import { renderOrderInputs, html, toScriptJson } from '../../../html'
import { deduplicateRefunds } from '../refundDeduplication'
import { assertSignature } from '../signatures'
import type { HttpResponse, Json } from '../providerHttp'
import {
  createBasicHeader,
  createBearerHeader,
  parseJson,
  assertOk,
  getRequiredListAt,
  getValueAt,
  request,
  getTextAt,
} from '../providerHttp'

const API_URL = 'https://api.culqi.com/v2'
const CHECKOUT_SCRIPT_URL = 'https://js.culqi.com/checkout-js'
const THREE_DS_SCRIPT_URL = 'https://3ds.culqi.com'
const CULQI_ORIGINS = 'https://*.culqi.com'
const CHARGE_SUCCEEDED = 'venta_exitosa'
/** Maximum page size of Culqi's list, for charges of one amount since an attempt began. */
const PAGE_SIZE = 100

const toPaymentEvents = (charge: Json): PaymentEvent[] => {
  if (
    getTextAt(charge, 'object') !== 'charge' ||
    getTextAt(charge, 'outcome.type') !== CHARGE_SUCCEEDED
  )
    return []
  const paid: PaymentEvent = {
    payment: getTextAt(charge, 'metadata.payment'),
    gateway: 'culqi',
    ref: getTextAt(charge, 'id'),
    status: 'paid',
    minor: Number(getValueAt(charge, 'amount')),
    currency: getTextAt(charge, 'currency_code') || getTextAt(charge, 'currency'),
  }
  const back = Number(getValueAt(charge, 'amount_refunded')) || 0
  return back > 0
    ? [paid, { ...paid, status: 'refunded', minor: back, isCumulative: true }]
    : [paid]
}

/** Renders Culqi's own window over our page. It gives the form a token, never card data. */
const renderTokenPage = (order: CheckoutOrder, key: string): Checkout => {
  const { minor, currency, title, translator, customer, urls } = order
  return {
    kind: 'page',
    title: translator.t('payment'),
    body: html`<h1>${title}</h1>
      <p class="amount">${translator.formatMoney(minor, currency)}</p>
      <form id="pay" method="post" action="${urls.pay}">
        ${renderOrderInputs(order, 'token', ['token', ''], ['device', ''])}
        <p id="problem" role="alert"></p>
        <button type="button" id="open">${translator.t('pay_by_card')}</button>
      </form>
      <p><a href="${urls.cancel}">${translator.t('leave')}</a></p>`.safe,
    script: {
      scriptUrls: [CHECKOUT_SCRIPT_URL, THREE_DS_SCRIPT_URL],
      frameOrigins: [CULQI_ORIGINS],
      connectOrigins: [CULQI_ORIGINS],
      hasInlineStyles: true,
      code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
const config = ${toScriptJson({
        settings: { title, currency, amount: minor },
        client: { email: customer.email },
        options: {
          lang: 'auto',
          installments: false,
          modal: true,
          paymentMethods: { tarjeta: true },
        },
      })}
const culqi = new CulqiCheckout(${toScriptJson(key)}, config)
Culqi3DS.publicKey = ${toScriptJson(key)}
const device = Promise.resolve().then(() => Culqi3DS.generateDevice()).catch(() => '')
culqi.culqi = async () => {
  if (culqi.token) {
    form.elements.token.value = culqi.token.id
    culqi.close()
    form.elements.device.value = (await device) || ''
    form.submit()
  } else problem.textContent = (culqi.error && culqi.error.user_message) || ${toScriptJson(translator.t('card_refused'))}
}
document.getElementById('open').addEventListener('click', () => culqi.open())
`,
    },
  }
}

/**
 * Renders the bank's window, which Culqi's 3-D Secure library opens over our page. It gives the
 * form the bank's proof.
 */
const renderBankPage = (
  order: CheckoutOrder,
  key: string,
  { token, device = '' }: { token: string; device?: string | undefined },
): Checkout => {
  const { minor, currency, title, translator, customer, urls } = order
  return {
    kind: 'page',
    title: translator.t('bank_title'),
    body: html`<h1>${translator.t('bank_title')}</h1>
      <p>${title}</p>
      <p class="amount">${translator.formatMoney(minor, currency)}</p>
      <p>${translator.t('bank_text')}</p>
      <form id="pay" method="post" action="${urls.pay}">
        ${renderOrderInputs(order, 'bank', ['token', token], ['device', device], ['proof', ''])}
        <p id="problem" role="alert"></p>
        <button type="button" id="open">${translator.t('bank_again')}</button>
      </form>
      <p><a href="${urls.cancel}">${translator.t('leave')}</a></p>`.safe,
    script: {
      scriptUrls: [THREE_DS_SCRIPT_URL],
      // Each bank has a different host.
      frameOrigins: ['https:'],
      formTargets: ['https:'],
      connectOrigins: [CULQI_ORIGINS, 'https://*.cardinalcommerce.com'],
      hasInlineStyles: true,
      code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
Culqi3DS.publicKey = ${toScriptJson(key)}
Culqi3DS.settings = ${toScriptJson({
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
  } else if (error) problem.textContent = ${toScriptJson(translator.t('bank_failed'))}
})
const open = () => { problem.textContent = ''; Culqi3DS.initAuthentication(${toScriptJson(token)}) }
document.getElementById('open').addEventListener('click', open)
open()
`,
    },
  }
}

const THREE_DS_FIELDS = [
  'eci',
  'xid',
  'cavv',
  'protocolVersion',
  'directoryServerTransactionId',
] as const

/**
 * Returns the result of the bank's window in the form that the charge needs, or null when it is not
 * valid.
 */
const parseThreeDsProof = (text: string): Record<string, string> | null => {
  let bankResult: Json = null
  try {
    bankResult = JSON.parse(text) as Json
  } catch {
    return null
  }
  const proof = Object.fromEntries(
    THREE_DS_FIELDS.map((name) => [name, getTextAt(bankResult, name).slice(0, 200)]).filter(
      ([, value]) => value,
    ),
  ) as Record<string, string>
  return Object.keys(proof).length > 0 ? proof : null
}

/** Sends a request to Culqi's API. */
type Send = (path: string, json?: object) => Promise<HttpResponse>

const createSend =
  (secretKey: string, fetcher: typeof fetch): Send =>
  (path, json) =>
    request(fetcher, `${API_URL}${path}`, {
      headers: createBearerHeader(secretKey),
      ...(json && { json }),
    })

/** A card that the page has turned into a token, with what the bank may need to know. */
interface CardToken {
  token: string
  device?: string | undefined
  proof?: Record<string, string> | undefined
}

type ChargeResult = 'asks_bank' | { event?: PaymentEvent; chargeId: string }

const chargeCard = async (
  send: Send,
  { id, minor, currency, customer }: CheckoutOrder,
  { token, device, proof }: CardToken,
): Promise<ChargeResult> => {
  const phone = customer.phone.replace(/\D/g, '').slice(-15)
  const { status, json } = await send('/charges', {
    amount: minor,
    currency_code: currency,
    email: customer.email,
    source_id: token,
    capture: true,
    antifraud_details: {
      ...(customer.first && { first_name: customer.first }),
      ...(customer.last && { last_name: customer.last }),
      ...(phone.length >= 5 && { phone_number: phone }),
      ...(device && { device_finger_print_id: device }),
    },
    metadata: { payment: id },
    ...(proof && { authentication_3DS: proof }),
  })
  if (status === 200 && getTextAt(json, 'action_code') === 'REVIEW') return 'asks_bank'
  const [event] = status === 201 ? toPaymentEvents(json) : []
  return { ...(event?.ref && { event }), chargeId: getTextAt(json, 'charge_id') }
}

const fetchCharge = async (send: Send, id: string): Promise<Json> =>
  assertOk(await send(`/charges/${encodeURIComponent(id)}`)).json

const fetchPaid = async (
  send: Send,
  { payment, minor, currency, createdAt }: PaymentRef,
): Promise<PaymentEvent | null> => {
  const query = new URLSearchParams({
    amount: String(minor),
    currency_code: currency,
    creation_date_from: String(createdAt - 60_000),
    limit: String(PAGE_SIZE),
  })
  const { json } = assertOk(await send(`/charges?${query.toString()}`))
  const charges = getRequiredListAt(json, 'data', 'Culqi returned no list of charges.')
  const events = charges.flatMap((charge) => toPaymentEvents(charge))
  return events.find((event) => event.payment === payment && event.status === 'paid') ?? null
}

/** Returns the id of the charge that a message is about; undefined for any other message. */
const readChargeId = (body: Buffer): string | undefined => {
  const content = getValueAt(parseJson(body), 'data')
  const subject = typeof content === 'string' ? parseJson(content) : content
  return [getTextAt(subject, 'id'), getTextAt(subject, 'charge_id')].find((each) =>
    /^chr_[A-Za-z0-9_]{1,80}$/.test(each),
  )
}

const KEY_NAMES = [
  'CULQI_PUBLIC_KEY',
  'CULQI_SECRET_KEY',
  'CULQI_WEBHOOK_USER',
  'CULQI_WEBHOOK_PASS',
] as const

/**
 * Culqi (Peru): its window creates a token on our page, and our server charges it. Messages are not
 * signed, so they are only hints.
 */
export const culqi: AdapterFactory = (env, outside) => {
  const keys = readKeys(env, ...KEY_NAMES)
  if (!keys) return null
  const send = createSend(keys.CULQI_SECRET_KEY, outside.fetch)
  // A token may fail more than once, and each failure is a separate event.
  const toFailure = ({ id, minor, currency }: CheckoutOrder, chargeId = ''): PaymentEvent => {
    const ref = chargeId || `try_${outside.createToken()}`
    return { payment: id, gateway: 'culqi', ref, status: 'failed', minor, currency }
  }
  return {
    id: 'culqi',
    isCurrencySupported: (currency) => currency === 'PEN' || currency === 'USD',
    checkout: (order) => Promise.resolve(renderTokenPage(order, keys.CULQI_PUBLIC_KEY)),
    chargesImmediately: true,
    async submitForm(order, form) {
      const token = form.get('token') ?? ''
      if (!/^(tkn|ype|crd)_[A-Za-z0-9_]{1,80}$/.test(token))
        throw new ProviderError('The form has no card token. Start the payment again.')
      const [device] = /^[A-Za-z0-9-]{1,80}$/.exec(form.get('device') ?? '') ?? []
      const isBack = form.get('step') === 'bank'
      const proof = (isBack && parseThreeDsProof(form.get('proof') ?? '')) || undefined
      if (isBack && !proof) return { event: toFailure(order), next: 'return' }
      const charged = await chargeCard(send, order, { token, device, proof })
      if (charged !== 'asks_bank')
        return { event: charged.event ?? toFailure(order, charged.chargeId), next: 'return' }
      // There is no charge until the bank approves, so a payer who leaves its window can start
      // over.
      const event = toFailure(order)
      return isBack
        ? { event, next: 'return' }
        : { event, next: renderBankPage(order, keys.CULQI_PUBLIC_KEY, { token, device }) }
    },
    fetchStatus: (paymentRef) => fetchPaid(send, paymentRef),
    async parseWebhook({ headers, body }) {
      const { Authorization } = createBasicHeader(keys.CULQI_WEBHOOK_USER, keys.CULQI_WEBHOOK_PASS)
      assertSignature(headers.authorization, Authorization)
      const id = readChargeId(body)
      if (!id) return { events: [] }
      const events = toPaymentEvents(await fetchCharge(send, id))
      return { events: events[0]?.payment ? events : [] }
    },
    ...deduplicateRefunds(
      'culqi',
      async ({ ref = '' }) => {
        const charge = await fetchCharge(send, ref)
        if (getTextAt(charge, 'id') !== ref) throw new ProviderError('Culqi has no such charge.')
        return [{ minor: Number(getValueAt(charge, 'amount_refunded')) || 0, state: 'done' }]
      },
      async ({ ref = '' }, minor) => {
        const json = { amount: minor, charge_id: ref, reason: 'solicitud_comprador' }
        assertOk(await send('/refunds', json))
        return 'done'
      },
    ),
  }
}
