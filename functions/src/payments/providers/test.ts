import type { PaymentEvent } from '~/domain/payments/attempt'
import type {
  Adapter,
  Asked,
  BankEntry,
  Checkout,
  CheckoutOrder,
  MakeAdapter,
  Outside,
} from '../adapter'
import { Forged, ProviderFault } from '../adapter'
import { hidden, html } from '../html'
import { hmacOf, isSame } from '../signing'
import { jsonOf, read, textAt } from '../talking'

/** Only local mode knows it, and only local mode takes what it signs. */
const LOCAL_SECRET = 'kerbside-test-provider'
const TOLERANCE_SECONDS = 300
const DELAY_MS = 5000
/** What the challenge page asks for. */
export const CHALLENGE_CODE = '123456'

/** The test cards, and what happens to each. */
const CARDS = [
  ['4242 4242 4242 4242', 'pays'],
  ['4000 0000 0000 3220', 'challenge'],
  ['4000 0000 0000 0002', 'declined'],
  ['4000 0000 0000 1091', 'late'],
  ['4000 0000 0000 2222', 'twice'],
  ['4000 0000 0000 4319', 'less'],
] as const
type Scenario = (typeof CARDS)[number][1]
type Problem = 'test_choose' | 'declined' | 'code_wrong'

const head = ({ speech, title, minor, currency }: CheckoutOrder, problem?: Problem) =>
  html`<h1>${speech.say('test_title')}</h1>
    <p>${title}</p>
    <p class="amount">${speech.money(minor, currency)}</p>
    ${problem ? [html`<p class="problem" role="alert">${speech.say(problem)}</p>`] : []}`

const own = (order: CheckoutOrder, step: string) =>
  hidden([
    ['order_id', order.id],
    ['cust_id', order.customer.id],
    ['step', step],
  ])

const cardPage = (order: CheckoutOrder, problem?: Problem): Checkout => {
  const { speech, minor, currency } = order
  const amount = speech.money(minor, currency)
  return {
    kind: 'page',
    title: speech.say('test_title'),
    body: html`${head(order, problem)}
      <p class="note">${speech.say('test_note')}</p>
      <form method="post" action="${order.urls.pay}">
        ${own(order, 'card')}
        <fieldset>
          <legend>${speech.say('test_card')}</legend>
          ${CARDS.map(
            ([number, scenario]) =>
              html`<label
                ><input
                  type="radio"
                  name="card"
                  value="${scenario}"
                  ${scenario === 'pays' ? [{ safe: 'checked' }] : []}
                /><span
                  >${speech.say(`test_${scenario}`)}<small
                    ><bdi dir="ltr">${number}</bdi></small
                  ></span
                ></label
              >`,
          )}
        </fieldset>
        <button type="submit" name="choice" value="pay">
          ${speech.say('pay_amount', { amount })}
        </button>
        <button type="submit" name="choice" value="leave" class="quiet">
          ${speech.say('leave')}
        </button>
      </form>`.safe,
  }
}

const challengePage = (order: CheckoutOrder, problem?: Problem): Checkout => {
  const { speech } = order
  return {
    kind: 'page',
    title: speech.say('bank_title'),
    body: html`${head(order, problem)}
      <p>${speech.say('code_text', { code: CHALLENGE_CODE })}</p>
      <form method="post" action="${order.urls.pay}">
        ${own(order, 'challenge')}
        <p>
          <label class="text"
            >${speech.say('code')}
            <input
              type="text"
              name="code"
              dir="ltr"
              inputmode="numeric"
              autocomplete="one-time-code"
              required
          /></label>
        </p>
        <button type="submit" name="choice" value="pay">${speech.say('confirm')}</button>
        <button type="submit" name="choice" value="leave" formnovalidate class="quiet">
          ${speech.say('leave')}
        </button>
      </form>`.safe,
  }
}

const entryEvent = (payment: string, entry: BankEntry, now: number): PaymentEvent => ({
  payment,
  gateway: 'test',
  ref: entry.ref,
  status: entry.status === 'declined' ? 'failed' : entry.settlesAt > now ? 'pending' : 'paid',
  minor: entry.minor,
  currency: entry.currency,
})

/** The header of a message, as a stranger who knows the secret makes it. Seconds since 1970. */
export const testSignature = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${hmacOf('sha256', secret, `${seconds}.${body}`)}`

const messageOf = (event: PaymentEvent) => ({
  type: `payment.${event.status}`,
  order_id: event.payment,
  payment_id: event.ref,
  amount: event.minor,
  currency: event.currency,
})

const SAID: Record<string, PaymentEvent['status']> = {
  'payment.paid': 'paid',
  'payment.pending': 'pending',
  'payment.failed': 'failed',
}

const testBank = (secret: string, outside: Outside): Adapter => {
  const tell = async (order: CheckoutOrder, event: PaymentEvent) => {
    const body = JSON.stringify(messageOf(event))
    const seconds = Math.floor(outside.now() / 1000)
    await outside.fetch(order.urls.webhook, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Test-Signature': testSignature(secret, body, seconds),
      },
      body,
    })
  }

  const take = async (order: CheckoutOrder, scenario: Scenario): Promise<void> => {
    const entry: BankEntry = {
      ref: `test_${outside.token()}`,
      minor: scenario === 'less' ? order.minor - 1 : order.minor,
      currency: order.currency,
      status: scenario === 'declined' ? 'declined' : 'paid',
      settlesAt: outside.now() + (scenario === 'late' ? DELAY_MS : 0),
      refunded: 0,
    }
    await outside.bank.write(order.id, entry)
    const event = entryEvent(order.id, entry, outside.now())
    await tell(order, event)
    if (scenario === 'twice') await Promise.all([tell(order, event), tell(order, event)])
    if (scenario === 'late')
      outside.later(DELAY_MS, () => tell(order, { ...event, status: 'paid' }))
  }

  return {
    id: 'test',
    supports: () => true,
    checkout: (order) => Promise.resolve(cardPage(order)),
    async submitted(order, form) {
      if (form.get('choice') === 'leave')
        return { next: { kind: 'redirect', url: order.urls.cancel } }
      if (form.get('step') === 'challenge') {
        if (form.get('code')?.trim() !== CHALLENGE_CODE)
          return { next: challengePage(order, 'code_wrong') }
        await take(order, 'pays')
        return { next: 'return' }
      }
      const scenario = CARDS.find(([, name]) => name === form.get('card'))?.[1]
      if (!scenario) return { next: cardPage(order, 'test_choose') }
      if (scenario === 'challenge') return { next: challengePage(order) }
      await take(order, scenario)
      return scenario === 'declined' ? { next: cardPage(order, 'declined') } : { next: 'return' }
    },
    async ask({ payment }: Asked) {
      const entry = await outside.bank.read(payment)
      return entry && entryEvent(payment, entry, outside.now())
    },
    notified({ headers, body }) {
      const [, seconds = '', given] =
        /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(headers['x-test-signature'] ?? '') ?? []
      if (!isSame(given, hmacOf('sha256', secret, `${seconds}.${body.toString('utf8')}`)))
        throw new Forged('The signature is not the provider’s.')
      if (Math.abs(outside.now() / 1000 - Number(seconds)) > TOLERANCE_SECONDS)
        throw new Forged('The message is stale.')
      const json = jsonOf(body)
      const status = SAID[textAt(json, 'type')]
      const minor = read(json, 'amount')
      if (!status || typeof minor !== 'number') return Promise.resolve({ events: [] })
      const event: PaymentEvent = {
        payment: textAt(json, 'order_id'),
        gateway: 'test',
        ref: textAt(json, 'payment_id'),
        status,
        minor,
        currency: textAt(json, 'currency'),
      }
      return Promise.resolve({ events: [event] })
    },
    async refund({ payment, currency }, minor, key) {
      const entry = await outside.bank.read(payment)
      const isDone = entry?.refundKey === key
      if (!entry || entry.status !== 'paid' || (!isDone && entry.refunded + minor > entry.minor))
        throw new ProviderFault('The bank has not so much of it.')
      if (!isDone)
        await outside.bank.write(payment, {
          ...entry,
          refunded: entry.refunded + minor,
          refundKey: key,
        })
      const { ref } = entry
      return { payment, gateway: 'test', ref, status: 'refunded', minor, currency, refundId: key }
    },
  }
}

/** Our own hosted card page and bank, for local mode only: anywhere else there is no such provider. */
export const test: MakeAdapter = (env, outside) => {
  const isLocal = env.FUNCTIONS_EMULATOR === 'true' && env.GCLOUD_PROJECT?.startsWith('demo-')
  const secret = env.KERBSIDE_TEST_PAYMENT_SECRET ?? LOCAL_SECRET
  return isLocal && secret !== '' ? testBank(secret, outside) : null
}
