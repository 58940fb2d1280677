import { createHash } from 'node:crypto'
import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { formatUnits, getDecimals, toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import { getPaymentIdOfKey } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  PaymentRef,
  CheckoutOrder,
  Env,
  WebhookResult,
  AdapterFactory,
} from '../../../ports/paymentAdapter'
import {
  InvalidSignatureError,
  readKeys,
  ProviderError,
  ProviderRejectedError,
} from '../../../ports/paymentAdapter'
import { renderOrderInputs, html, toScriptJson } from '../../../html'
import { deduplicateRefunds } from '../refundDeduplication'
import {
  assertAcceptedRefund,
  createUnconfirmedRefundError,
  getRefundState,
  type RefundStates,
} from '../refundStates'
import { toWebhookResult } from '../webhooks'
import { computeHmac, isSameSecret } from '../signatures'
import type { Json } from '../providerHttp'
import {
  createBasicHeader,
  parseForm,
  getListAt,
  getMinorAt,
  getRequiredListAt,
  getValueAt,
  requestOk,
  getTextAt,
} from '../providerHttp'
import type { MinorUnits } from '~/domain/language/units'

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
  const status = getOwn(PAYMENT_STATUSES, getTextAt(transaction, 'status'))
  const currency = getTextAt(transaction, 'amount.currencyCode')
  if (!status) return null
  return {
    payment: getTextAt(transaction, 'orderId'),
    gateway: 'braintree',
    ref: getTextAt(transaction, 'id'),
    status,
    minor: getMinorAt(transaction, 'amount.value', currency),
    currency,
  }
}

const REFUND_STATES: RefundStates = {
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
const renderCardPage = (order: CheckoutOrder, clientToken: string) => {
  const { minor, currency, title, translator, urls } = order
  return {
    kind: 'page' as const,
    title: translator.t('payment'),
    body: html`<h1>${title}</h1>
      <p class="amount">${translator.formatMoney(minor, currency)}</p>
      <form id="pay" method="post" action="${urls.pay}">
        ${renderOrderInputs(order, 'nonce', ['nonce', ''])}
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
  }
}

interface Braintree {
  publicKey: string
  privateKey: string
  query(text: string, input: object): Promise<Json>
  /** Returns the merchant account of a currency, or null when it has none. */
  getAccount(currency: string): string | null
}

const parseAccounts = (text: string): Record<string, unknown> | null => {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return null
  }
}

const createBraintree = (env: Env, fetcher: typeof fetch): Braintree | null => {
  const keys = readKeys(
    env,
    'BRAINTREE_MERCHANT_ID',
    'BRAINTREE_PUBLIC_KEY',
    'BRAINTREE_PRIVATE_KEY',
    'BRAINTREE_MERCHANT_ACCOUNT_ID',
  )
  const accounts = keys && parseAccounts(keys.BRAINTREE_MERCHANT_ACCOUNT_ID)
  if (!keys || !accounts) return null
  const { BRAINTREE_PUBLIC_KEY: publicKey, BRAINTREE_PRIVATE_KEY: privateKey } = keys
  const url = env.BRAINTREE_ENV === 'production' ? API_URLS.production : API_URLS.sandbox
  return {
    publicKey,
    privateKey,
    async query(text, input) {
      const { json } = await requestOk(fetcher, url, {
        headers: { ...createBasicHeader(publicKey, privateKey), 'Braintree-Version': API_VERSION },
        json: { query: text, variables: { input } },
      })
      return json
    },
    getAccount(currency) {
      const account = Object.hasOwn(accounts, currency) ? accounts[currency] : null
      return typeof account === 'string' && account !== '' ? account : null
    },
  }
}

const fetchTransactions = async (
  { query }: Braintree,
  payment: string,
  fields: string,
): Promise<Json[]> => {
  const json = await query(
    `query ($input: TransactionSearchInput!) { search { transactions(input: $input) { edges { node { ${fields} } } } } }`,
    { orderId: { is: payment } },
  )
  const why = 'Braintree returned no search result.'
  return getRequiredListAt(json, 'data.search.transactions.edges', why).map((edge) =>
    getValueAt(edge, 'node'),
  )
}

const fetchStatus = async (api: Braintree, payment: string): Promise<PaymentEvent | null> => {
  const events = (await fetchTransactions(api, payment, TRANSACTION_FIELDS)).flatMap(
    (transaction) => toPaymentEvent(transaction) ?? [],
  )
  return events.find(({ status }) => status === 'paid') ?? events[0] ?? null
}

const createCardPage = async ({ query, getAccount }: Braintree, order: CheckoutOrder) => {
  const json = await query(
    'mutation ($input: CreateClientTokenInput) { createClientToken(input: $input) { clientToken } }',
    { clientToken: { merchantAccountId: getAccount(order.currency) } },
  )
  const token = getTextAt(json, 'data.createClientToken.clientToken')
  if (!token) throw new ProviderError('Braintree returned no client token.')
  return renderCardPage(order, token)
}

/** Charges the card of a nonce. Returns null when the card was refused before a transaction. */
const chargeNonce = async (
  { query, getAccount }: Braintree,
  { id, minor, currency }: CheckoutOrder,
  nonce: string,
): Promise<PaymentEvent | null> => {
  if (!/^[A-Za-z0-9_-]{4,200}$/.test(nonce))
    throw new ProviderError('The form has no payment nonce. Start the payment again.')
  const json = await query(
    `mutation ($input: ChargePaymentMethodInput!) { chargePaymentMethod(input: $input) { transaction { ${TRANSACTION_FIELDS} } } }`,
    {
      paymentMethodId: nonce,
      transaction: {
        amount: formatUnits(minor, getDecimals(currency)),
        orderId: id,
        merchantAccountId: getAccount(currency),
      },
    },
  )
  return toPaymentEvent(getValueAt(json, 'data.chargePaymentMethod.transaction'))
}

/** Responds to the request by which Braintree checks our address. */
const respondToChallenge = (
  { publicKey, privateKey }: Braintree,
  challenge: string,
): WebhookResult => {
  if (!/^[a-f0-9]{20,32}$/.test(challenge))
    throw new InvalidSignatureError('The request has no challenge.')
  return {
    events: [],
    response: { body: `${publicKey}|${signBraintree(privateKey, challenge)}` },
  }
}

/** Returns the XML of a message. Throws when Braintree did not sign it. */
const readMessage = ({ publicKey, privateKey }: Braintree, body: Buffer): string => {
  const form = parseForm(body)
  const payload = form.get('bt_payload') ?? ''
  const expected = signBraintree(privateKey, payload)
  const good = (form.get('bt_signature') ?? '')
    .split('&')
    .map((pair) => pair.split('|'))
    .some(([name, signature]) => name === publicKey && isSameSecret(signature, expected))
  if (!payload || !good) throw new InvalidSignatureError('The signature is not from Braintree.')
  return Buffer.from(payload, 'base64').toString('utf8')
}

const parseMessage = async (api: Braintree, xml: string): Promise<WebhookResult> => {
  // Our own refund has its key as the order id; a refund from the control panel has the
  // payment's id.
  const payment = getPaymentIdOfKey(readXmlElement(xml, 'order-id'))
  const kind = readXmlElement(xml, 'kind')
  if (!payment) return { events: [] }
  const disputeStatus = getOwn(DISPUTE_STATUSES, kind)
  if (disputeStatus) {
    const paid = await fetchStatus(api, payment)
    return toWebhookResult(paid && toDisputeEvent(xml, paid, disputeStatus))
  }
  // A message only says that something changed, so we query Braintree for the current state.
  const event = kind.startsWith('transaction_') ? await fetchStatus(api, payment) : null
  const paymentsToCheck = /^(transaction_|refund_)/.test(kind) ? [payment] : []
  return { ...toWebhookResult(event), paymentsToCheck }
}

const listRefunds = async (
  api: Braintree,
  { payment, ref, currency }: PaymentRef,
): Promise<ProviderRefund[]> => {
  const fields = 'id refunds { id orderId status amount { value } }'
  const paid = (await fetchTransactions(api, payment, fields)).find(
    (each) => getTextAt(each, 'id') === ref,
  )
  if (!paid) throw new ProviderError('Braintree has no such transaction.')
  return getListAt(paid, 'refunds').map((refund) => ({
    minor: getMinorAt(refund, 'amount.value', currency),
    state: getRefundState(refund, 'status', REFUND_STATES),
    key: getTextAt(refund, 'orderId'),
  }))
}

const sendRefund = async (
  { query }: Braintree,
  { ref = '', currency }: PaymentRef,
  minor: MinorUnits,
  orderId: string,
): Promise<'done' | 'pending'> => {
  const json = await query(
    'mutation ($input: RefundTransactionInput!) { refundTransaction(input: $input) { refund { id status } } }',
    {
      transactionId: ref,
      refund: { amount: formatUnits(minor, getDecimals(currency)), orderId },
    },
  )
  const refund = getValueAt(json, 'data.refundTransaction.refund')
  if (!getTextAt(refund, 'id')) {
    const errors = getListAt(json, 'errors').map((error) =>
      getTextAt(error, 'extensions.errorClass'),
    )
    throw errors.length > 0 && !errors.some((kind) => AMBIGUOUS_ERRORS.test(kind))
      ? new ProviderRejectedError(
          `Braintree refused the refund; nothing was refunded: ${errors.join(' ')}.`,
        )
      : createUnconfirmedRefundError('Braintree')
  }
  return assertAcceptedRefund('Braintree', getRefundState(refund, 'status', REFUND_STATES))
}

/**
 * Braintree has no hosted page: its card fields are on our page, and our server charges the nonce
 * they return.
 */
export const braintree: AdapterFactory = (env, outside) => {
  const api = createBraintree(env, outside.fetch)
  if (!api) return null
  return {
    id: 'braintree',
    isCurrencySupported: (currency) => api.getAccount(currency) !== null,
    checkout: (order) => createCardPage(api, order),
    chargesImmediately: true,
    async submitForm(order, form) {
      const charged = await chargeNonce(api, order, form.get('nonce') ?? '')
      // Each refused attempt is a new event, even for the same nonce.
      const ref = `try_${outside.createToken()}`
      const { id, minor, currency } = order
      const refused = { payment: id, gateway: 'braintree', ref, status: 'failed' } as const
      return { event: charged ?? { ...refused, minor, currency }, next: 'return' }
    },
    fetchStatus: ({ payment }) => fetchStatus(api, payment),
    parseWebhook: async ({ method, query, body }) =>
      method === 'GET'
        ? respondToChallenge(api, query.get('bt_challenge') ?? '')
        : parseMessage(api, readMessage(api, body)),
    ...deduplicateRefunds(
      'braintree',
      (paymentRef) => listRefunds(api, paymentRef),
      (paymentRef, minor, key) => sendRefund(api, paymentRef, minor, key),
    ),
  }
}
