import { createHash } from 'node:crypto'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { getPaymentIdOfKey } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type { PaymentRef, CheckoutOrder, AdapterFactory } from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { renderHiddenInputs, html, toScriptJson } from '../../../html'
import { deduplicateRefunds } from '../refundDeduplication'
import { computeHmac, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBasicHeader,
  parseForm,
  getListAt,
  getValueAt,
  requestOk,
  getTextAt,
} from '../providerHttp'

const API_URLS = {
  production: 'https://payments.braintree-api.com/graphql',
  sandbox: 'https://payments.sandbox.braintree-api.com/graphql',
}
const SCRIPTS_URL = 'https://js.braintreegateway.com/web/3.136.0/js'
const API_VERSION = '2019-01-01'

/** Returns Braintree's HMAC: SHA-1 with the SHA-1 of the private key as its key. */
export const signBraintree = (privateKey: string, text: string): string =>
  computeHmac('sha1', createHash('sha1').update(privateKey).digest(), text)

const PAYMENT_STATUSES: Record<string, PaymentEvent['status']> = {
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

const toPaymentEvent = (transaction: Json): PaymentEvent | null => {
  const status = PAYMENT_STATUSES[getTextAt(transaction, 'status')]
  const currency = getTextAt(transaction, 'amount.currencyCode')
  if (!status) return null
  return {
    payment: getTextAt(transaction, 'orderId'),
    gateway: 'braintree',
    ref: getTextAt(transaction, 'id'),
    status,
    minor: toCurrencyMinorUnits(getTextAt(transaction, 'amount.value'), currency) ?? NaN,
    currency,
  }
}

const REFUND_STATES: Record<string, ProviderRefund['state']> = {
  SUBMITTED_FOR_SETTLEMENT: 'done',
  SETTLING: 'done',
  SETTLED: 'done',
  SETTLEMENT_CONFIRMED: 'done',
  SETTLEMENT_DECLINED: 'failed',
  PROCESSOR_DECLINED: 'failed',
  GATEWAY_REJECTED: 'failed',
  AUTHORIZATION_EXPIRED: 'failed',
  FAILED: 'failed',
  VOIDED: 'failed',
}
/** Braintree errors that are not a refusal. */
const AMBIGUOUS_ERRORS = /^(INTERNAL|SERVICE_AVAILABILITY|UNKNOWN)$/

const TRANSACTION_FIELDS = 'id legacyId orderId status amount { value currencyCode }'

/** Returns the text of an element in Braintree's flat XML. */
const readXmlElement = (xml: string, name: string): string =>
  new RegExp(`<${name}(?:\\s[^>]*)?>([^<]*)</${name}>`).exec(xml)?.[1]?.trim() ?? ''

const DISPUTE_STATUSES: Record<string, 'chargeback' | 'chargeback_won'> = {
  dispute_opened: 'chargeback',
  dispute_won: 'chargeback_won',
}

/** Returns the event of a dispute; without an amount of its own it is about the whole payment. */
const toDisputeEvent = (
  xml: string,
  paid: PaymentEvent,
  status: 'chargeback' | 'chargeback_won',
): PaymentEvent => {
  const [, subject = ''] = /<dispute>([\s\S]*)<\/dispute>/.exec(xml) ?? []
  // Its parts have ids and amounts too.
  const dispute = subject.replace(/<([\w-]+)(?:\s[^>]*)?>\s*<[\s\S]*?<\/\1>/g, '')
  const refundId = readXmlElement(dispute, 'id')
  const currency = readXmlElement(dispute, 'currency-iso-code') || paid.currency
  const amount =
    (status === 'chargeback_won' && readXmlElement(dispute, 'amount-won')) ||
    readXmlElement(dispute, 'amount-disputed') ||
    readXmlElement(dispute, 'amount')
  const minor = amount ? (toCurrencyMinorUnits(amount, currency) ?? NaN) : paid.minor
  return { ...paid, status, currency, minor, ...(refundId && { refundId }) }
}

/**
 * Renders our page with Braintree's card fields, each in a separate frame. It returns a nonce,
 * never card data.
 */
const renderCardPage = (
  { id, minor, currency, title, translator, customer, urls }: CheckoutOrder,
  clientToken: string,
) => ({
  kind: 'page' as const,
  title: translator.t('payment'),
  body: html`<h1>${title}</h1>
    <p class="amount">${translator.formatMoney(minor, currency)}</p>
    <form id="pay" method="post" action="${urls.pay}">
      ${renderHiddenInputs([
        ['order_id', id],
        ['cust_id', customer.id],
        ['step', 'nonce'],
        ['nonce', ''],
      ])}
      <p id="label-number">${translator.t('card_number')}</p>
      <div id="number" class="field"></div>
      <p id="label-expiry">${translator.t('card_expiry')}</p>
      <div id="expiry" class="field"></div>
      <p id="label-cvv">${translator.t('card_cvv')}</p>
      <div id="cvv" class="field"></div>
      <p id="problem" role="alert"></p>
      <button type="submit" id="submit" disabled>
        ${translator.t('pay_amount', { amount: translator.formatMoney(minor, currency) })}
      </button>
    </form>
    <p><a href="${urls.cancel}">${translator.t('leave')}</a></p>`.safe,
  script: {
    scriptUrls: [`${SCRIPTS_URL}/client.min.js`, `${SCRIPTS_URL}/hosted-fields.min.js`],
    frameOrigins: ['https://assets.braintreegateway.com'],
    connectOrigins: [
      'https://*.braintree-api.com',
      'https://*.braintreegateway.com',
      'https://api.sandbox.braintreegateway.com:443',
    ],
    hasInlineStyles: true,
    code: `
const form = document.getElementById('pay')
const problem = document.getElementById('problem')
const button = document.getElementById('submit')
const say = (text) => { problem.textContent = text; button.disabled = false }
braintree.client.create({ authorization: ${toScriptJson(clientToken)} })
  .then((client) => braintree.hostedFields.create({ client, fields: {
    number: { selector: '#number' }, expirationDate: { selector: '#expiry', placeholder: ${toScriptJson(translator.t('card_expiry_form'))} }, cvv: { selector: '#cvv' } } }))
  .then((fields) => {
    button.disabled = false
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      button.disabled = true
      fields.tokenize().then(({ nonce }) => { form.elements.nonce.value = nonce; form.submit() }, () => say(${toScriptJson(translator.t('card_check'))}))
    })
  }, () => say(${toScriptJson(translator.t('card_form_failed'))}))
`,
  },
})

/**
 * Braintree has no hosted page: its card fields are on our page, and our server charges the nonce
 * they return.
 */
export const braintree: AdapterFactory = (env, outside) => {
  const keys = readKeys(
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
  const url = env.BRAINTREE_ENV === 'production' ? API_URLS.production : API_URLS.sandbox

  const query = async (text: string, input: object): Promise<Json> => {
    const { json } = await requestOk(outside.fetch, url, {
      headers: { ...createBasicHeader(publicKey, privateKey), 'Braintree-Version': API_VERSION },
      json: { query: text, variables: { input } },
    })
    return json
  }

  const fetchTransactions = async (payment: string, fields: string): Promise<Json[]> => {
    const json = await query(
      `query ($input: TransactionSearchInput!) { search { transactions(input: $input) { edges { node { ${fields} } } } } }`,
      { orderId: { is: payment } },
    )
    if (!Array.isArray(getValueAt(json, 'data.search.transactions.edges')))
      throw new ProviderError('Braintree returned no search result.')
    return getListAt(json, 'data.search.transactions.edges').map((edge) => getValueAt(edge, 'node'))
  }
  const ask = async ({ payment }: Pick<PaymentRef, 'payment'>): Promise<PaymentEvent | null> => {
    const events = (await fetchTransactions(payment, TRANSACTION_FIELDS)).flatMap(
      (transaction) => toPaymentEvent(transaction) ?? [],
    )
    return events.find(({ status }) => status === 'paid') ?? events[0] ?? null
  }

  return {
    id: 'braintree',
    isCurrencySupported: (currency) => accountFor(currency) !== null,
    async checkout(order) {
      const json = await query(
        'mutation ($input: CreateClientTokenInput) { createClientToken(input: $input) { clientToken } }',
        { clientToken: { merchantAccountId: accountFor(order.currency) } },
      )
      const token = getTextAt(json, 'data.createClientToken.clientToken')
      if (!token) throw new ProviderError('Braintree returned no client token.')
      return renderCardPage(order, token)
    },
    chargesImmediately: true,
    async submitForm({ id, minor, currency }, form) {
      const nonce = form.get('nonce') ?? ''
      if (!/^[A-Za-z0-9_-]{4,200}$/.test(nonce))
        throw new ProviderError('The form has no payment nonce. Start the payment again.')
      const json = await query(
        `mutation ($input: ChargePaymentMethodInput!) { chargePaymentMethod(input: $input) { transaction { ${TRANSACTION_FIELDS} } } }`,
        {
          paymentMethodId: nonce,
          transaction: {
            amount: formatUnits(minor, getDecimals(currency)),
            orderId: id,
            merchantAccountId: accountFor(currency),
          },
        },
      )
      const charged = toPaymentEvent(getValueAt(json, 'data.chargePaymentMethod.transaction'))
      // Without a transaction, the card was refused before one existed. Each such attempt is a new
      // event, even for the same nonce.
      const ref = `try_${outside.createToken()}`
      const refused = { payment: id, gateway: 'braintree', ref, status: 'failed' } as const
      return { event: charged ?? { ...refused, minor, currency }, next: 'return' }
    },
    fetchStatus: ask,
    async parseWebhook({ method, query: params, body }) {
      const challenge = params.get('bt_challenge')
      if (method === 'GET') {
        if (!/^[a-f0-9]{20,32}$/.test(challenge ?? ''))
          throw new InvalidSignatureError('The request has no challenge.')
        return {
          events: [],
          response: { body: `${publicKey}|${signBraintree(privateKey, challenge ?? '')}` },
        }
      }
      const form = parseForm(body)
      const payload = form.get('bt_payload') ?? ''
      const expected = signBraintree(privateKey, payload)
      const good = (form.get('bt_signature') ?? '')
        .split('&')
        .map((pair) => pair.split('|'))
        .some(([name, signature]) => name === publicKey && isSameSecret(signature, expected))
      if (!payload || !good) throw new InvalidSignatureError('The signature is not from Braintree.')
      const xml = Buffer.from(payload, 'base64').toString('utf8')
      // Our own refund has its key as the order id; a refund from the control panel has the
      // payment's id.
      const payment = getPaymentIdOfKey(readXmlElement(xml, 'order-id'))
      const kind = readXmlElement(xml, 'kind')
      if (!payment) return { events: [] }
      const disputed = DISPUTE_STATUSES[kind]
      if (disputed) {
        const paid = await ask({ payment })
        return { events: paid ? [toDisputeEvent(xml, paid, disputed)] : [] }
      }
      // A message only says that something changed, so we query Braintree for the current state.
      const event = kind.startsWith('transaction_') ? await ask({ payment }) : null
      const refunds = /^(transaction_|refund_)/.test(kind) ? [payment] : []
      return { events: event ? [event] : [], paymentsToCheck: refunds }
    },
    ...deduplicateRefunds(
      'braintree',
      async ({ payment, ref, currency }) => {
        const fields = 'id refunds { id orderId status amount { value } }'
        const paid = (await fetchTransactions(payment, fields)).find(
          (each) => getTextAt(each, 'id') === ref,
        )
        if (!paid) throw new ProviderError('Braintree has no such transaction.')
        return getListAt(paid, 'refunds').map((refund) => ({
          minor: toCurrencyMinorUnits(getTextAt(refund, 'amount.value'), currency) ?? NaN,
          state: REFUND_STATES[getTextAt(refund, 'status')] ?? 'pending',
          key: getTextAt(refund, 'orderId'),
        }))
      },
      async ({ ref = '', currency }, minor, orderId) => {
        const json = await query(
          'mutation ($input: RefundTransactionInput!) { refundTransaction(input: $input) { refund { id status } } }',
          {
            transactionId: ref,
            refund: { amount: formatUnits(minor, getDecimals(currency)), orderId },
          },
        )
        const refund = getValueAt(json, 'data.refundTransaction.refund')
        const errors = getListAt(json, 'errors').map((error) =>
          getTextAt(error, 'extensions.errorClass'),
        )
        if (
          !getTextAt(refund, 'id') &&
          errors.length > 0 &&
          !errors.some((kind) => AMBIGUOUS_ERRORS.test(kind))
        )
          throw new ProviderRejectedError(
            `Braintree refused the refund; nothing was refunded: ${errors.join(' ')}.`,
          )
        if (!getTextAt(refund, 'id'))
          throw new ProviderError(
            'Braintree did not confirm the refund. Check it in the Braintree dashboard.',
          )
        const state = REFUND_STATES[getTextAt(refund, 'status')] ?? 'pending'
        if (state === 'failed')
          throw new ProviderRejectedError('Braintree refused the refund; nothing was refunded.')
        return state
      },
    ),
  }
}
