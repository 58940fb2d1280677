import { isStartedCheckout, type StartedCheckout } from '~/domain/api/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ATTEMPT_REUSE_MS, type PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { sumWalletHistory } from '~/domain/money/wallet'
import type { TestClient } from '../support/testClients'
import { deliverMessage, createPaidMessage } from '../support/testBank'
import { advanceBooking, openTestPlatform, expectRefusal, type TestPlatform } from './testPlatform'
import { getSuite } from '../support/testSuite'
import type { Booking } from '~/domain/booking/types'
import type { PaymentProvider } from '~/domain/payments/types'
import type { Settings } from '~/domain/catalog/types'
import type { WalletEntry } from '~/domain/money/types'

let platform: TestPlatform
let admin: TestClient
beforeAll(async () => {
  platform = openTestPlatform()
  admin = await platform.signInAs('seed-admin')
})
afterAll(() => platform.close())

/** Milliseconds. Fifty requests start fifty processes, which a small machine starts one by one. */
const TIMEOUT_MS = 600_000

const createRider = async (): Promise<TestClient> => {
  const [uid = ''] = await platform.createUsers(1, {})
  return platform.signInAs(uid)
}
/** Starts a payment at the test bank. */
const startCheckout = async (
  client: TestClient,
  input:
    | { payment_mode: 'topup'; amount: number }
    | { payment_mode: 'card'; booking_id: string; usedWalletMoney?: number; promo?: string },
): Promise<StartedCheckout> => {
  const started = await client.call('start_payment', { provider: 'test', ...input })
  if (!isStartedCheckout(started)) throw new Error('The payment opened no checkout.')
  return started
}
const startTopUp = (client: TestClient, amount = 20) =>
  startCheckout(client, { payment_mode: 'topup', amount })

let formCount = 0
/**
 * Posts a form as a browser does, but returns the redirect instead of following it. Each form comes
 * from an address of its own, so that this file does not use up the quota of a later one.
 */
const submitForm = (url: string, fields: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'X-Forwarded-For': `10.0.0.${(formCount += 1)}` },
    redirect: 'manual',
  })
const submitBankPage = (
  client: TestClient,
  { payment_id, url }: StartedCheckout,
  fields: Record<string, string>,
) =>
  submitForm(url, {
    order_id: payment_id,
    cust_id: client.uid,
    step: 'card',
    choice: 'pay',
    ...fields,
  })

/** Makes an attempt old, so that the next payment creates another one. */
const makeAttemptOld = ({ payment_id }: StartedCheckout) =>
  platform.write({ [`payments/${payment_id}/createdAt`]: Date.now() - ATTEMPT_REUSE_MS })
const readAttempt = (id: string) => platform.read<PaymentAttempt>(`payments/${id}`)
const readBalance = (client: TestClient) =>
  platform.read<number>(`users/${client.uid}/walletBalance`)
const expectStatus = (id: string, status: PaymentAttempt['status']) =>
  expect.poll(async () => (await readAttempt(id))?.status).toBe(status)

describe('the test provider', () => {
  it('is the only one listed here, at our own URL', async () => {
    const listed = await fetch(`${getSuite().urls.functions}/get_providers`)
    expect((await listed.json()) as PaymentProvider[]).toEqual([
      // The minor unit of the Uruguayan peso.
      { name: 'test', link: `${getSuite().urls.functions}/pay_test`, step: 0.01, minimum: 0.01 },
    ])
  })

  it('tops up a wallet through form, bank page, webhook and return page', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    const page = await submitForm(started.url, {
      order_id: started.payment_id,
      amount: '0.01',
      currency: 'USD',
      product_name: 'x',
      first_name: 'x',
      last_name: 'x',
      quantity: '1',
      cust_id: client.uid,
      mobile_no: '',
      email: '',
    })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('UYU 20.00')])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")

    const paid = await submitBankPage(client, started, { card: 'pays' })
    expect(paid.status).toBe(303)
    expect(await readBalance(client)).toBe(20)
    const home = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' })
    expect(home.headers.get('location')).toBe(
      `${getSuite().urls.web}/payment-return?payment=${started.payment_id}`,
    )
    expect(await readAttempt(started.payment_id)).toMatchObject({
      status: 'paid',
      applied_to: 'wallet',
    })
  })

  it('delivers a late webhook while the payer waits', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    await submitBankPage(client, started, { card: 'late' })
    expect((await readAttempt(started.payment_id))?.status).toBe('pending')
    await expectStatus(started.payment_id, 'paid')
    expect(await readBalance(client)).toBe(20)
  })

  it('counts a payment once that was declined, then paid and reported twice', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    expect(await (await submitBankPage(client, started, { card: 'declined' })).text()).toContain(
      'declined',
    )
    await expectStatus(started.payment_id, 'failed')
    await submitBankPage(client, started, { card: 'twice' })
    await expectStatus(started.payment_id, 'paid')
    expect(await readBalance(client)).toBe(20)
  })
})

describe('webhooks', () => {
  it('sent ten times at once for one payment credit it once', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    const message = createPaidMessage(started, 'same')
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliverMessage(message)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await readBalance(client)).toBe(20)
  })

  it('that are forged, or of providers without keys, are refused', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    const { body } = createPaidMessage(started, 'x')
    expect((await deliverMessage({ body, signature: 't=1,v1=00' })).status).toBe(400)
    const stripe = `${getSuite().urls.functions}/payment_webhook/stripe`
    expect((await fetch(stripe, { method: 'POST', body })).status).toBe(404)
    expect(await readBalance(client)).toBe(0)
  })

  it('with another amount are held, listed for the office and credited by an admin', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    await deliverMessage(createPaidMessage(started, 'short', { amount: 1 }))
    expect(await readAttempt(started.payment_id)).toMatchObject({ problem: 'amount_mismatch' })
    const settle = () =>
      admin.call('resolve_payment', { payment_id: started.payment_id, how: 'credit' })
    expect((await expectRefusal(client.call('resolve_payment', {}))).code).toContain('denied')
    await settle()
    expect((await expectRefusal(settle())).details.key).toBe('already_processed')
    expect(await readBalance(client)).toBe(0.01)
  })
})

describe('a booking', () => {
  const booked = async (client: TestClient) => {
    const { booking_id } = await platform.createBooking(client)
    const started = () =>
      startCheckout(client, {
        payment_mode: 'card',
        booking_id,
      })
    return { booking_id, started, read: () => platform.read<Booking>(`bookings/${booking_id}`) }
  }

  it('is paid by card, and a second paid attempt goes to the wallet', async () => {
    const client = await createRider()
    const { started, read } = await booked(client)
    const first = await started()
    await makeAttemptOld(first)
    const second = await started()
    await Promise.all([
      submitBankPage(client, first, { card: 'pays' }),
      submitBankPage(client, second, { card: 'pays' }),
    ])
    expect(await read()).toMatchObject({
      status: 'NEW',
      gateway: 'test',
      prepaid: true,
      customer_paid: first.amount,
    })
    expect(await readBalance(client)).toBe(first.amount)
  })

  it('paid by card is offered to nearby drivers at once, and only once', async () => {
    const TYPE = 'test-card'
    const settings = await platform.read<Settings>('settings')
    const [driver = ''] = await platform.createUsers(1, { usertype: 'driver', carType: TYPE })
    await platform.createVehicleType(TYPE)
    await platform.goOnDuty(driver, { carType: TYPE, location: await platform.getPickup() })
    await platform.write({ 'settings/autoDispatch': true, 'settings/dispatchMode': 'broadcast' })
    try {
      const client = await createRider()
      const { booking_id } = await platform.createBooking(client, {
        carType: TYPE,
        bookLater: false,
      })
      const started = await startCheckout(client, {
        payment_mode: 'card',
        booking_id,
      })
      await submitBankPage(client, started, { card: 'twice' })
      // Maintenance has not run: the bank form's own response waits until the offers were sent.
      expect((await platform.read<Booking>(`bookings/${booking_id}`))?.requestedDrivers).toEqual({
        [driver]: true,
      })
      expect(await platform.read(`driver_tasks/${driver}/${booking_id}`)).toBe(true)
      expect(Object.keys((await platform.read<object>(`inbox/${driver}`)) ?? {})).toHaveLength(1)
      await advanceBooking(client, booking_id, 'cancel', { reason: 'No more' })
    } finally {
      await platform.goOffDuty(driver)
      await platform.write({ settings, [`cartypes/${TYPE}`]: null })
    }
  })

  it('canceled before the payment arrives gets the money into the wallet', async () => {
    const client = await createRider()
    const { booking_id, started } = await booked(client)
    const open = await started()
    await advanceBooking(client, booking_id, 'cancel', { reason: 'No more' })
    await submitBankPage(client, open, { card: 'pays' })
    expect(await readBalance(client)).toBe(open.amount)
    expect(await readAttempt(open.payment_id)).toMatchObject({
      applied_to: 'wallet',
      status: 'paid',
    })
  })
})

describe('concurrent payments', () => {
  const comeBack = ({ payment_id }: StartedCheckout) =>
    fetch(`${getSuite().urls.functions}/payment_return/test?payment=${payment_id}`, {
      redirect: 'manual',
    })
  /** Records that the bank has the money, before it sends its webhook. */
  const bankTook = ({ payment_id, amount }: StartedCheckout, ref: string) =>
    platform.write({
      [`payments/${payment_id}/details/bank`]: {
        ref,
        minor: Math.round(amount * 100),
        currency: 'UYU',
        status: 'paid',
        settlesAt: 0,
        refunded: 0,
      },
    })

  it(
    'credit once when webhooks and returns of one payment arrive together',
    async () => {
      const client = await createRider()
      const started = await startTopUp(client)
      await bankTook(started, 'fifty')
      const message = createPaidMessage(started, 'fifty')
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 ? deliverMessage(message) : comeBack(started))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 303]))
      expect(await readAttempt(started.payment_id)).toMatchObject({ status: 'paid', revision: 2 })
      expect(await readBalance(client)).toBe(20)
      const wallet = await platform.read<object>(`users/${client.uid}/walletHistory`)
      expect(Object.keys(wallet ?? {})).toEqual([`${started.payment_id}-topup`])
    },
    TIMEOUT_MS,
  )

  it(
    'pay a booking once when two attempts are paid, and put the other amount in the wallet',
    async () => {
      const client = await createRider()
      const { booking_id } = await platform.createBooking(client)
      const start = () =>
        startCheckout(client, {
          payment_mode: 'card',
          booking_id,
        })
      const first = await start()
      await makeAttemptOld(first)
      const pair = [first, await start()] as const
      await Promise.all(pair.map((started, i) => bankTook(started, `${booking_id}-${i}`)))
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const started = pair[i % 2 === 0 ? 0 : 1]
          return i % 4 < 2
            ? deliverMessage(createPaidMessage(started, `${booking_id}-${i % 2}`))
            : comeBack(started)
        }),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 303]))
      const made = await Promise.all(pair.map(({ payment_id }) => readAttempt(payment_id)))
      expect(made.map((each) => each?.applied_to).sort()).toEqual(['booking', 'wallet'])
      expect(await readBalance(client)).toBe(pair[0].amount)
      expect(await platform.read<Booking>(`bookings/${booking_id}`)).toMatchObject({
        status: 'NEW',
        customer_paid: pair[0].amount,
      })
      await advanceBooking(client, booking_id, 'cancel', { reason: 'No more' })
      expect(await readBalance(client)).toBe(pair[0].amount * 2)
    },
    TIMEOUT_MS,
  )
})

describe('starting a payment', () => {
  const countAttempts = async (uid: string) =>
    (
      await platform.admin.database.ref('payments').orderByChild('uid').equalTo(uid).get()
    ).numChildren()

  it(
    'fifty times at once, by calls and plain forms, creates one attempt per booking',
    async () => {
      const client = await createRider()
      const { booking_id } = await platform.createBooking(client)
      const url = `${getSuite().urls.functions}/pay_test`
      const all = await Promise.all(
        Array.from({ length: 50 }, async (_, i) =>
          i % 2
            ? (await submitForm(url, { order_id: booking_id, cust_id: client.uid })).status
            : client
                .call('start_payment', {
                  payment_mode: 'card',
                  provider: 'test',
                  booking_id,
                })
                .then(() => 200),
        ),
      )
      expect(new Set(all)).toEqual(new Set([200]))
      expect(await countAttempts(client.uid)).toBe(1)
    },
    TIMEOUT_MS,
  )
})

describe('a refund made at the provider', () => {
  it('is settled once although its webhook arrives ten times at once', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    await submitBankPage(client, started, { card: 'pays' })
    const { ref = '' } = (await readAttempt(started.payment_id)) ?? {}
    const message = createPaidMessage(started, ref, {
      type: 'payment.refunded',
      amount: 700,
      refund_id: 're_1',
    })
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliverMessage(message)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await readAttempt(started.payment_id)).toMatchObject({
      status: 'partially_refunded',
      refunded: 7,
    })
    expect(await readBalance(client)).toBe(13)
  })

  it('asks for redelivery when it arrives before its payment', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    const message = createPaidMessage(started, 'early', {
      type: 'payment.refunded',
      refund_id: 're_1',
    })
    expect((await deliverMessage(message)).status).toBe(503)
    await deliverMessage(createPaidMessage(started, 'early'))
    expect((await deliverMessage(message)).status).toBe(200)
    expect(await readBalance(client)).toBe(0)
  })
})

describe('refunding', () => {
  it(
    'never lets a refund and concurrent spending overdraw the wallet',
    async () => {
      for (let round = 0; round < 3; round++) {
        const client = await createRider()
        const started = await startTopUp(client, 300)
        await submitBankPage(client, started, { card: 'pays' })
        const { payment_id } = started
        const bookings = [
          await platform.createBooking(client),
          await platform.createBooking(client),
        ]
        const pay = (booking_id: string) =>
          client.call('start_payment', { payment_mode: 'wallet', booking_id })
        await Promise.allSettled([
          admin.call('refund_payment', { payment_id, amount: 250 }),
          ...bookings.map(({ booking_id }) => pay(booking_id)),
          admin.call('refund_payment', { payment_id, amount: 200 }),
        ])
        const { refunded = 0, refund } = (await readAttempt(payment_id)) ?? {}
        expect(refund).toBeUndefined()
        const sent =
          (await platform.read<number>(`payments/${payment_id}/details/bank/refunded`)) ?? 0
        expect(sent).toBe(refunded * 100)
        const left = (await readBalance(client)) ?? 0
        expect(left).toBeGreaterThanOrEqual(0)
        const history = await platform.read<Record<string, WalletEntry>>(
          `users/${client.uid}/walletHistory`,
        )
        expect(sumWalletHistory(history ?? {})).toBe(left)
      }
    },
    TIMEOUT_MS,
  )

  it('sends a top-up back to the card only once', async () => {
    const client = await createRider()
    const started = await startTopUp(client)
    await submitBankPage(client, started, { card: 'pays' })
    const { payment_id } = started
    await admin.call('refund_payment', { payment_id, amount: 5 })
    expect(await readBalance(client)).toBe(15)
    await admin.call('refund_payment', { payment_id })
    expect(await readAttempt(payment_id)).toMatchObject({ status: 'refunded', refunded: 20 })
    expect(await readBalance(client)).toBe(0)
    const again = admin.call('refund_payment', { payment_id })
    expect((await expectRefusal(again)).details.key).toBe('event_not_possible')
  })

  it(
    'runs once when an admin clicks five times at once',
    async () => {
      const client = await createRider()
      const started = await startTopUp(client)
      await submitBankPage(client, started, { card: 'pays' })
      const { payment_id } = started
      const presses = await Promise.allSettled(
        Array.from({ length: 5 }, () => admin.call('refund_payment', { payment_id, amount: 2 })),
      )
      const done = presses.filter(({ status }) => status === 'fulfilled').length
      // A click after the first refund is done refunds another two; a concurrent one is refused.
      expect(done).toBeGreaterThanOrEqual(1)
      const { refunded = 0 } = (await readAttempt(payment_id)) ?? {}
      expect(refunded).toBeGreaterThanOrEqual(2)
      expect(refunded).toBeLessThanOrEqual(2 * done)
      expect(await readBalance(client)).toBe(20 - refunded)
      expect(await platform.read(`payments/${payment_id}/details/bank/refunded`)).toBe(
        100 * refunded,
      )
    },
    TIMEOUT_MS,
  )
})
