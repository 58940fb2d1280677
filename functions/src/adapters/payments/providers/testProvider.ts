import { getOwn } from '~/domain/data/ownValue'
import type { PaymentEvent } from '~/domain/payments/paymentAttempt'
import { createRefundKey } from '~/domain/payments/paymentAttempt'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import type {
  Adapter,
  PaymentRef,
  TestBankEntry,
  Checkout,
  CheckoutOrder,
  WebhookRequest,
  AdapterFactory,
  AdapterDeps,
} from '../../../ports/paymentAdapter'
import { InvalidSignatureError, ProviderRejectedError } from '../../../ports/paymentAdapter'
import { renderOrderInputs, html } from '../../../html'
import { computeHmac, isSameSecret } from '../signatures'
import { assertFresh, toWebhookResult } from '../webhooks'
import { parseJson, getValueAt, getTextAt } from '../providerHttp'
import type { MinorUnits, Seconds } from '~/domain/language/units'

/** Only local mode knows this secret and accepts its signatures. */
const LOCAL_SECRET = 'kerbside-test-provider'
const TOLERANCE_SECONDS = 300
const DELAY_MS = 5000
/** The code that the challenge page expects. */
export const CHALLENGE_CODE = '123456'

/** The test cards and the outcome of each. */
const TEST_CARDS = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 3220', 'challenge'],
  ['4000 0000 0000 0002', 'declined'],
  ['4000 0000 0000 1091', 'late'],
  ['4000 0000 0000 2222', 'twice'],
  ['4000 0000 0000 4319', 'less'],
] as const
type Scenario = (typeof TEST_CARDS)[number][1]
type Problem = 'test_choose' | 'declined' | 'code_wrong'

const renderHeading = ({ translator, title, minor, currency }: CheckoutOrder, problem?: Problem) =>
  html`<h1>${translator.t('test_title')}</h1>
    <p>${title}</p>
    <p class="amount">${translator.formatMoney(minor, currency)}</p>
    ${problem ? [html`<p class="problem" role="alert">${translator.t(problem)}</p>`] : []}`

const renderCardPage = (order: CheckoutOrder, problem?: Problem): Checkout => {
  const { translator, minor, currency } = order
  const amount = translator.formatMoney(minor, currency)
  return {
    kind: 'page',
    title: translator.t('test_title'),
    body: html`${renderHeading(order, problem)}
      <p class="note">${translator.t('test_note')}</p>
      <form method="post" action="${order.urls.pay}">
        ${renderOrderInputs(order, 'card')}
        <fieldset>
          <legend>${translator.t('test_card')}</legend>
          ${TEST_CARDS.map(
            ([number, scenario]) =>
              html`<label
                ><input
                  type="radio"
                  name="card"
                  value="${scenario}"
                  ${scenario === 'pays' ? [{ safe: 'checked' }] : []}
                /><span
                  >${translator.t(`test_${scenario}`)}<small
                    ><bdi dir="ltr">${number}</bdi></small
                  ></span
                ></label
              >`,
          )}
        </fieldset>
        <button type="submit" name="choice" value="pay">
          ${translator.t('pay_amount', { amount })}
        </button>
        <button type="submit" name="choice" value="leave" class="quiet">
          ${translator.t('leave')}
        </button>
      </form>`.safe,
  }
}

const renderChallengePage = (order: CheckoutOrder, problem?: Problem): Checkout => {
  const { translator } = order
  return {
    kind: 'page',
    title: translator.t('bank_title'),
    body: html`${renderHeading(order, problem)}
      <p>${translator.t('code_text', { code: CHALLENGE_CODE })}</p>
      <form method="post" action="${order.urls.pay}">
        ${renderOrderInputs(order, 'challenge')}
        <p>
          <label class="text"
            >${translator.t('code')}
            <input
              type="text"
              name="code"
              dir="ltr"
              inputmode="numeric"
              autocomplete="one-time-code"
              required
          /></label>
        </p>
        <button type="submit" name="choice" value="pay">${translator.t('confirm')}</button>
        <button type="submit" name="choice" value="leave" formnovalidate class="quiet">
          ${translator.t('leave')}
        </button>
      </form>`.safe,
  }
}

const toPaymentEvent = (payment: string, entry: TestBankEntry, now: number): PaymentEvent => ({
  payment,
  gateway: 'test',
  ref: entry.ref,
  status: entry.status === 'declined' ? 'failed' : entry.settlesAt > now ? 'pending' : 'paid',
  minor: entry.minor,
  currency: entry.currency,
})

/**
 * Returns the signature header of a message, as any holder of the secret can compute it. Time is in
 * seconds since 1970.
 */
export const signTestMessage = (secret: string, body: string, seconds: Seconds): string =>
  `t=${seconds},v1=${computeHmac('sha256', secret, `${seconds}.${body}`)}`

const toMessage = (event: PaymentEvent) => ({
  type: `payment.${event.status}`,
  order_id: event.payment,
  payment_id: event.ref,
  amount: event.minor,
  currency: event.currency,
})

const MESSAGE_STATUSES: Record<string, PaymentEvent['status']> = {
  'payment.paid': 'paid',
  'payment.pending': 'pending',
  'payment.failed': 'failed',
  'payment.refunded': 'refunded',
}

const sendWebhook = async (
  secret: string,
  outside: AdapterDeps,
  order: CheckoutOrder,
  event: PaymentEvent,
) => {
  const body = JSON.stringify(toMessage(event))
  const seconds = Math.floor(outside.now() / 1000)
  await outside.fetch(order.urls.webhook, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Test-Signature': signTestMessage(secret, body, seconds),
    },
    body,
  })
}

/** Takes the money of a card, and sends the messages of its scenario. */
const takeMoney = async (
  outside: AdapterDeps,
  order: CheckoutOrder,
  scenario: Scenario,
  send: (event: PaymentEvent) => Promise<void>,
): Promise<void> => {
  const entry: TestBankEntry = {
    ref: `test_${outside.createToken()}`,
    minor: scenario === 'less' ? order.minor - 1 : order.minor,
    currency: order.currency,
    status: scenario === 'declined' ? 'declined' : 'paid',
    settlesAt: outside.now() + (scenario === 'late' ? DELAY_MS : 0),
    refunded: 0,
  }
  await outside.testBank.write(order.id, entry)
  const event = toPaymentEvent(order.id, entry, outside.now())
  await send(event)
  if (scenario === 'twice') await Promise.all([send(event), send(event)])
  if (scenario === 'late') outside.runLater(DELAY_MS, () => send({ ...event, status: 'paid' }))
}

const submitForm = async (
  order: CheckoutOrder,
  form: URLSearchParams,
  take: (scenario: Scenario) => Promise<void>,
): Promise<{ next: Checkout | 'return' }> => {
  if (form.get('choice') === 'leave') return { next: { kind: 'redirect', url: order.urls.cancel } }
  if (form.get('step') === 'challenge') {
    if (form.get('code')?.trim() !== CHALLENGE_CODE)
      return { next: renderChallengePage(order, 'code_wrong') }
    await take('pays')
    return { next: 'return' }
  }
  const scenario = TEST_CARDS.find(([, name]) => name === form.get('card'))?.[1]
  if (!scenario) return { next: renderCardPage(order, 'test_choose') }
  if (scenario === 'challenge') return { next: renderChallengePage(order) }
  await take(scenario)
  return { next: scenario === 'declined' ? renderCardPage(order, 'declined') : 'return' }
}

const parseMessage = (
  { headers, body }: WebhookRequest,
  secret: string,
  now: number,
): PaymentEvent | null => {
  const [, seconds = '', signature] =
    /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers['x-test-signature'] ?? '') ?? []
  if (
    !isSameSecret(signature, computeHmac('sha256', secret, `${seconds}.${body.toString('utf8')}`))
  )
    throw new InvalidSignatureError('The signature is not from the provider.')
  assertFresh(Number(seconds) * 1000, now, TOLERANCE_SECONDS * 1000)
  const json = parseJson(body)
  const status = getOwn(MESSAGE_STATUSES, getTextAt(json, 'type'))
  const minor = getValueAt(json, 'amount')
  if (!status || typeof minor !== 'number') return null
  return {
    payment: getTextAt(json, 'order_id'),
    gateway: 'test',
    ref: getTextAt(json, 'payment_id'),
    status,
    minor,
    currency: getTextAt(json, 'currency'),
    ...(status === 'refunded' && { refundId: getTextAt(json, 'refund_id') }),
  }
}

const listRefunds = (
  payment: string,
  { refunds = {}, refunded = 0 }: Partial<TestBankEntry>,
): ProviderRefund[] => {
  const ours = Object.entries(refunds).map(([id, minor]) => ({
    minor,
    state: 'done' as const,
    key: createRefundKey(payment, id),
  }))
  const others = refunded - ours.reduce((sum, { minor }) => sum + minor, 0)
  return [...ours, ...(others > 0 ? [{ minor: others, state: 'done' as const }] : [])]
}

const sendRefund = async (
  bank: AdapterDeps['testBank'],
  { payment, currency }: PaymentRef,
  minor: MinorUnits,
  key: string,
): Promise<PaymentEvent> => {
  const entry = await bank.read(payment)
  // The database does not allow dots in keys.
  const id = key.slice(payment.length + 1)
  const isDone = entry?.refunds?.[id] !== undefined
  if (!entry || entry.status !== 'paid' || (!isDone && entry.refunded + minor > entry.minor))
    throw new ProviderRejectedError(
      'The test bank has no such amount to refund. Refund at most the rest of the payment.',
    )
  if (!isDone)
    await bank.write(payment, {
      ...entry,
      refunded: entry.refunded + minor,
      refunds: { ...entry.refunds, [id]: minor },
    })
  const { ref } = entry
  return { payment, gateway: 'test', ref, status: 'refunded', minor, currency, refundId: key }
}

const createTestAdapter = (secret: string, outside: AdapterDeps): Adapter => ({
  id: 'test',
  isCurrencySupported: () => true,
  checkout: (order) => Promise.resolve(renderCardPage(order)),
  submitForm: (order, form) =>
    submitForm(order, form, (scenario) =>
      takeMoney(outside, order, scenario, (event) => sendWebhook(secret, outside, order, event)),
    ),
  async fetchStatus({ payment }) {
    const entry = await outside.testBank.read(payment)
    return entry && toPaymentEvent(payment, entry, outside.now())
  },
  async parseWebhook(incoming) {
    return Promise.resolve(toWebhookResult(parseMessage(incoming, secret, outside.now())))
  },
  listRefunds: async ({ payment }) =>
    listRefunds(payment, (await outside.testBank.read(payment)) ?? {}),
  refund: (paymentRef, minor, key) => sendRefund(outside.testBank, paymentRef, minor, key),
})

/**
 * Our own hosted card page and bank, for local mode only. The provider does not exist elsewhere.
 */
export const testProvider: AdapterFactory = (env, outside) => {
  const isLocal = env.FUNCTIONS_EMULATOR === 'true' && env.GCLOUD_PROJECT?.startsWith('demo-')
  const secret = env.KERBSIDE_TEST_PAYMENT_SECRET ?? LOCAL_SECRET
  return isLocal && secret !== '' ? createTestAdapter(secret, outside) : null
}
