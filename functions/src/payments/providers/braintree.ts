import { createHash } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/attempt'
import { decimalText, exponentOf, minorOf } from '~/domain/payments/currency'
import type { Asked, CheckoutOrder, MakeAdapter } from '../adapter'
import { Forged, keysOf, ProviderFault } from '../adapter'
import { hidden, html, inScript } from '../html'
import { hmacOf, isSame } from '../signing'
import type { Json } from '../talking'
import { basic, formOf, read, talkOrFail, textAt } from '../talking'

const API = {
  production: 'https://payments.braintree-api.com/graphql',
  sandbox: 'https://payments.sandbox.braintree-api.com/graphql',
}
const SCRIPTS = 'https://js.braintreegateway.com/web/3.136.0/js'
const VERSION = '2019-01-01'

/** Braintree's HMAC: SHA-1 under the SHA-1 of the private key. */
export const braintreeHmac = (privateKey: string, text: string): string =>
  hmacOf('sha1', createHash('sha1').update(privateKey).digest(), text)

const STATUS: Record<string, PaymentEvent['status']> = {
  AUTHORIZED: 'paid',
  SUBMITTED_FOR_SETTLEMENT: 'paid',
  SETTLING: 'paid',
  SETTLED: 'paid',
  SETTLEMENT_PENDING: 'pending',
  AUTHORIZING: 'pending',
  PROCESSOR_DECLINED: 'failed',
  GATEWAY_REJECTED: 'failed',
  FAILED: 'failed',
  VOIDED: 'cancelled',
}

const transactionEvent = (transaction: Json): PaymentEvent | null => {
  const status = STATUS[textAt(transaction, 'status')]
  const currency = textAt(transaction, 'amount.currencyCode')
  if (!status) return null
  return {
    payment: textAt(transaction, 'orderId'),
    gateway: 'braintree',
    ref: textAt(transaction, 'id'),
    status,
    minor: minorOf(textAt(transaction, 'amount.value'), currency) ?? NaN,
    currency,
  }
}

const FIELDS = 'id legacyId orderId status amount { value currencyCode }'

/** The text of an element of Braintree's flat XML. */
const element = (xml: string, name: string): string =>
  new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''

/** Braintree's card fields, each in a frame of its own, on a page of ours; what comes back is a nonce, never a card. */
const pageOf = (
  { id, minor, currency, title, speech, customer, urls }: CheckoutOrder,
  clientToken: string,
) => ({
  kind: 'page' as const,
  title: speech.say('payment'),
  body: html`<h1>${title}</h1>
    <p class="amount">${speech.money(minor, currency)}</p>
    <form id="pay" method="post" action="${urls.pay}">
      ${hidden([
        ['order_id', id],
        ['cust_id', customer.id],
        ['step', 'nonce'],
        ['nonce', ''],
      ])}
      <p id="label-number">${speech.say('card_number')}</p>
      <div id="number" class="field"></div>
      <p id="label-expiry">${speech.say('card_expiry')}</p>
      <div id="expiry" class="field"></div>
      <p id="label-cvv">${speech.say('card_cvv')}</p>
      <div id="cvv" class="field"></div>
      <p id="problem" role="alert"></p>
      <button type="submit" id="submit" disabled>
        ${speech.say('pay_amount', { amount: speech.money(minor, currency) })}
      </button>
    </form>
    <p><a href="${urls.cancel}">${speech.say('leave')}</a></p>`.safe,
  script: {
    load: [`${SCRIPTS}/client.min.js`, `${SCRIPTS}/hosted-fields.min.js`],
    frames: ['https://assets.braintreegateway.com'],
    connects: [
      'https://*.braintree-api.com',
      'https://*.braintreegateway.com',
      'https://api.sandbox.braintreegateway.com:443',
    ],
    inlineStyles: true,
    code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
const button = document.getElementById('submit')
const say = (text) => { problem.textContent = text; button.disabled = false }
braintree.client.create({ authorization: ${inScript(clientToken)} })
  .then((client) => braintree.hostedFields.create({ client, fields: {
    number: { selector: '#number' }, expirationDate: { selector: '#expiry', placeholder: ${inScript(speech.say('card_expiry_form'))} }, cvv: { selector: '#cvv' } } }))
  .then((fields) => {
    button.disabled = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      button.disabled = true
      fields.tokenize().then(({ nonce }) => { form.elements.nonce.value = nonce; form.submit() }, () => say(${inScript(speech.say('card_check'))}))
    })
  }, () => say(${inScript(speech.say('card_form_failed'))}))
`,
  },
})

/** Braintree has no page of its own: its card fields stand on ours, and our server charges the nonce they give. */
export const braintree: MakeAdapter = (env, outside) => {
  const keys = keysOf(
    env,
    'BRAINTREE_MERCHANT_ID',
    'BRAINTREE_PUBLIC_KEY',
    'BRAINTREE_PRIVATE_KEY',
    'BRAINTREE_MERCHANT_ACCOUNT_ID',
  )
  if (!keys) return null
  let accounts: Record<string, unknown>
  try {
    accounts = JSON.parse(keys.BRAINTREE_MERCHANT_ACCOUNT_ID) as Record<string, unknown>
  } catch {
    return null
  }
  const accountFor = (currency: string): string | null => {
    const account = Object.hasOwn(accounts, currency) ? accounts[currency] : null
    return typeof account === 'string' && account !== '' ? account : null
  }
  const { BRAINTREE_PUBLIC_KEY: publicKey, BRAINTREE_PRIVATE_KEY: privateKey } = keys
  const url = env.BRAINTREE_ENV === 'production' ? API.production : API.sandbox

  const query = async (text: string, input: object): Promise<Json> => {
    const { json } = await talkOrFail(outside.fetch, url, {
      headers: { ...basic(publicKey, privateKey), 'Braintree-Version': VERSION },
      json: { query: text, variables: { input } },
    })
    return json
  }

  const ask = async ({ payment }: Pick<Asked, 'payment'>): Promise<PaymentEvent | null> => {
    const json = await query(
      `query ($input: TransactionSearchInput!) { search { transactions(input: $input) { edges { node { ${FIELDS} } } } } }`,
      { orderId: { is: payment } },
    )
    const edges = read(json, 'data.search.transactions.edges')
    const events = (Array.isArray(edges) ? (edges as Json[]) : []).flatMap(
      (edge) => transactionEvent(read(edge, 'node')) ?? [],
    )
    return events.find(({ status }) => status === 'paid') ?? events[0] ?? null
  }

  return {
    id: 'braintree',
    supports: (currency) => accountFor(currency) !== null,
    async checkout(order) {
      const json = await query(
        'mutation ($input: CreateClientTokenInput) { createClientToken(input: $input) { clientToken } }',
        { clientToken: { merchantAccountId: accountFor(order.currency) } },
      )
      const token = textAt(json, 'data.createClientToken.clientToken')
      if (!token) throw new ProviderFault('Braintree gave no client token.')
      return pageOf(order, token)
    },
    charges: true,
    async submitted({ id, minor, currency }, form) {
      const nonce = form.get('nonce') ?? ''
      if (!/^[A-Za-z0-9_-]{4,200}$/.test(nonce)) throw new ProviderFault('There is no nonce.')
      const json = await query(
        `mutation ($input: ChargePaymentMethodInput!) { chargePaymentMethod(input: $input) { transaction { ${FIELDS} } } }`,
        {
          paymentMethodId: nonce,
          transaction: {
            amount: decimalText(minor, exponentOf(currency)),
            orderId: id,
            merchantAccountId: accountFor(currency),
          },
        },
      )
      const charged = transactionEvent(read(json, 'data.chargePaymentMethod.transaction'))
      // Without a transaction the card was refused before there was one; each such try is news, also of one nonce.
      const ref = `try_${outside.token()}`
      const refused = { payment: id, gateway: 'braintree', ref, status: 'failed' } as const
      return { event: charged ?? { ...refused, minor, currency }, next: 'return' }
    },
    ask,
    async notified({ method, query: asked, body }) {
      const challenge = asked.get('bt_challenge')
      if (method === 'GET') {
        if (!/^[a-f0-9]{20,32}$/.test(challenge ?? '')) throw new Forged('It asks nothing.')
        return {
          events: [],
          ack: { body: `${publicKey}|${braintreeHmac(privateKey, challenge ?? '')}` },
        }
      }
      const form = formOf(body)
      const payload = form.get('bt_payload') ?? ''
      const expected = braintreeHmac(privateKey, payload)
      const good = (form.get('bt_signature') ?? '')
        .split('&')
        .map((pair) => pair.split('|'))
        .some(([name, signature]) => name === publicKey && isSame(signature, expected))
      if (!payload || !good) throw new Forged('The signature is not Braintree’s.')
      const xml = Buffer.from(payload, 'base64').toString('utf8')
      const payment = element(xml, 'order-id')
      const kind = element(xml, 'kind')
      if (!payment) return { events: [] }
      if (kind.startsWith('dispute_opened')) {
        const paid = await ask({ payment })
        return { events: paid ? [{ ...paid, status: 'chargeback' }] : [] }
      }
      // A message only says that something happened: what it is now, Braintree is asked.
      const event = kind.startsWith('transaction_') ? await ask({ payment }) : null
      return { events: event ? [event] : [] }
    },
    async refund({ payment, ref = '', currency }, minor) {
      const json = await query(
        'mutation ($input: RefundTransactionInput!) { refundTransaction(input: $input) { refund { id status } } }',
        {
          transactionId: ref,
          refund: { amount: decimalText(minor, exponentOf(currency)) },
        },
      )
      const refundId = textAt(json, 'data.refundTransaction.refund.id')
      if (!refundId) throw new ProviderFault('Braintree refunded nothing.')
      return { payment, gateway: 'braintree', ref, status: 'refunded', minor, currency, refundId }
    },
  }
}
