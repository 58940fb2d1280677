import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Booking, PaymentProvider, Settings } from '~/domain/entities'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import type { Client } from '../support/clients'
import { deliver, paidMessage } from '../support/testBank'
import { advance, openScene, refusalOf, type Scene } from './scene'

let scene: Scene
let admin: Client
beforeAll(async () => {
  scene = openScene()
  admin = await scene.as('seed-admin')
})
afterAll(() => scene.close())

/** ms; fifty requests at once are as many processes, which a small machine starts one by one. */
const PATIENCE = 600_000

interface Started {
  payment_id: string
  url: string
  amount: number
}
const rider = async (): Promise<Client> => {
  const [uid = ''] = await scene.people(1, {})
  return scene.as(uid)
}
const topUp = (client: Client, amount = 20) =>
  client.call<Started>('start_payment', { payment_mode: 'topup', provider: 'test', amount })

/** Posts a form as a browser does, but shows the redirect instead of following it. */
const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
const onPage = (client: Client, { payment_id, url }: Started, fields: Record<string, string>) =>
  submit(url, {
    order_id: payment_id,
    cust_id: client.uid,
    step: 'card',
    choice: 'pay',
    ...fields,
  })

const attempt = (id: string) => scene.read<PaymentAttempt>(`payments/${id}`)
const balance = (client: Client) => scene.read<number>(`users/${client.uid}/walletBalance`)
const becomes = (id: string, status: PaymentAttempt['status']) =>
  expect.poll(async () => (await attempt(id))?.status).toBe(status)

describe('the test provider', () => {
  it('is the one that is listed here, at our own address', async () => {
    const listed = await fetch(`${inject('urls').functions}/get_providers`)
    expect((await listed.json()) as PaymentProvider[]).toEqual([
      { name: 'test', link: `${inject('urls').functions}/pay_test` },
    ])
  })

  it('tops a wallet up: form, page, message, way back', async () => {
    const client = await rider()
    const started = await topUp(client)
    const page = await submit(started.url, {
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

    const paid = await onPage(client, started, { card: 'pays' })
    expect(paid.status).toBe(303)
    expect(await balance(client)).toBe(20)
    const home = await fetch(paid.headers.get('location') ?? '', { redirect: 'manual' })
    expect(home.headers.get('location')).toBe(
      `${inject('urls').web}/payment-return?payment=${started.payment_id}`,
    )
    expect(await attempt(started.payment_id)).toMatchObject({
      status: 'paid',
      applied_to: 'wallet',
    })
  })

  it('a late message arrives while the payer waits', async () => {
    const client = await rider()
    const started = await topUp(client)
    await onPage(client, started, { card: 'late' })
    expect((await attempt(started.payment_id))?.status).toBe('pending')
    await becomes(started.payment_id, 'paid')
    expect(await balance(client)).toBe(20)
  })

  it('declined, then paid; twice told, once counted', async () => {
    const client = await rider()
    const started = await topUp(client)
    expect(await (await onPage(client, started, { card: 'declined' })).text()).toContain('declined')
    await becomes(started.payment_id, 'failed')
    await onPage(client, started, { card: 'twice' })
    await becomes(started.payment_id, 'paid')
    expect(await balance(client)).toBe(20)
  })
})

describe('messages', () => {
  it('ten at once of one payment credit once', async () => {
    const client = await rider()
    const started = await topUp(client)
    const said = paidMessage(started, 'same')
    const answers = await Promise.all(Array.from({ length: 10 }, () => deliver(said)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await balance(client)).toBe(20)
  })

  it('forged, and of providers without keys, are refused', async () => {
    const client = await rider()
    const started = await topUp(client)
    const { body } = paidMessage(started, 'x')
    expect((await deliver({ body, signature: 't=1,v1=00' })).status).toBe(400)
    const stripe = `${inject('urls').functions}/payment_webhook/stripe`
    expect((await fetch(stripe, { method: 'POST', body })).status).toBe(404)
    expect(await balance(client)).toBe(0)
  })

  it('another amount is parked, listed for the office, and credited by it', async () => {
    const client = await rider()
    const started = await topUp(client)
    await deliver(paidMessage(started, 'short', { amount: 1 }))
    expect(await attempt(started.payment_id)).toMatchObject({ problem: 'amount_mismatch' })
    const settle = () =>
      admin.call('resolve_payment', { payment_id: started.payment_id, how: 'credit' })
    expect((await refusalOf(client.call('resolve_payment', {}))).code).toContain('denied')
    await settle()
    expect((await refusalOf(settle())).details.key).toBe('already_processed')
    expect(await balance(client)).toBe(0.01)
  })
})

describe('a booking', () => {
  const booked = async (client: Client) => {
    const { booking_id } = await scene.book(client)
    const started = () =>
      client.call<Started>('start_payment', { payment_mode: 'card', provider: 'test', booking_id })
    return { booking_id, started, read: () => scene.read<Booking>(`bookings/${booking_id}`) }
  }

  it('is paid by card; a second paid attempt goes to the wallet', async () => {
    const client = await rider()
    const { started, read } = await booked(client)
    const [first, second] = [await started(), await started()]
    await Promise.all([
      onPage(client, first, { card: 'pays' }),
      onPage(client, second, { card: 'pays' }),
    ])
    expect(await read()).toMatchObject({
      status: 'NEW',
      gateway: 'test',
      prepaid: true,
      customer_paid: first.amount,
    })
    expect(await balance(client)).toBe(first.amount)
  })

  it('paid by card is offered to the drivers around at once, and once', async () => {
    const TYPE = 'test-card'
    const settings = await scene.read<Settings>('settings')
    const [driver = ''] = await scene.people(1, { usertype: 'driver', carType: TYPE })
    await scene.carType(TYPE)
    await scene.onDuty(driver, { carType: TYPE, location: await scene.pickup() })
    await scene.write({ 'settings/autoDispatch': true, 'settings/dispatchMode': 'all' })
    try {
      const client = await rider()
      const { booking_id } = await scene.book(client, { carType: TYPE, bookLater: false })
      const started = await client.call<Started>('start_payment', {
        payment_mode: 'card',
        provider: 'test',
        booking_id,
      })
      await onPage(client, started, { card: 'twice' })
      // No sweep has passed: the form's own answer comes after the drivers were asked.
      expect((await scene.read<Booking>(`bookings/${booking_id}`))?.requestedDrivers).toEqual({
        [driver]: true,
      })
      expect(await scene.read(`driver_tasks/${driver}/${booking_id}`)).toBe(true)
      expect(Object.keys((await scene.read<object>(`inbox/${driver}`)) ?? {})).toHaveLength(1)
      await advance(client, booking_id, 'cancel', { reason: 'No more' })
    } finally {
      await scene.offDuty(driver)
      await scene.write({ settings, [`cartypes/${TYPE}`]: null })
    }
  })

  it('cancelled meanwhile: the money goes to the wallet', async () => {
    const client = await rider()
    const { booking_id, started } = await booked(client)
    const open = await started()
    await advance(client, booking_id, 'cancel', { reason: 'No more' })
    await onPage(client, open, { card: 'pays' })
    expect(await balance(client)).toBe(open.amount)
    expect(await attempt(open.payment_id)).toMatchObject({ applied_to: 'wallet', status: 'paid' })
  })
})

describe('fifty at a time', () => {
  const comeBack = ({ payment_id }: Started) =>
    fetch(`${inject('urls').functions}/payment_return/test?payment=${payment_id}`, {
      redirect: 'manual',
    })
  /** The bank has the money, and its message is not sent yet. */
  const bankTook = ({ payment_id, amount }: Started, ref: string) =>
    scene.write({
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
    'messages and returns of one payment, arriving together, credit once',
    async () => {
      const client = await rider()
      const started = await topUp(client)
      await bankTook(started, 'fifty')
      const said = paidMessage(started, 'fifty')
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => (i % 2 ? deliver(said) : comeBack(started))),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 303]))
      expect(await attempt(started.payment_id)).toMatchObject({ status: 'paid', revision: 2 })
      expect(await balance(client)).toBe(20)
      const wallet = await scene.read<object>(`users/${client.uid}/walletHistory`)
      expect(Object.keys(wallet ?? {})).toEqual([`${started.payment_id}-topup`])
    },
    PATIENCE,
  )

  it(
    'two attempts on one booking, both paid at once, pay it once; the other one’s money is in the wallet',
    async () => {
      const client = await rider()
      const { booking_id } = await scene.book(client)
      const start = () =>
        client.call<Started>('start_payment', {
          payment_mode: 'card',
          provider: 'test',
          booking_id,
        })
      const pair = [await start(), await start()] as const
      await Promise.all(pair.map((started, i) => bankTook(started, `${booking_id}-${i}`)))
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, i) => {
          const started = pair[i % 2 === 0 ? 0 : 1]
          return i % 4 < 2
            ? deliver(paidMessage(started, `${booking_id}-${i % 2}`))
            : comeBack(started)
        }),
      )
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 303]))
      const made = await Promise.all(pair.map(({ payment_id }) => attempt(payment_id)))
      expect(made.map((each) => each?.applied_to).sort()).toEqual(['booking', 'wallet'])
      expect(await balance(client)).toBe(pair[0].amount)
      expect(await scene.read<Booking>(`bookings/${booking_id}`)).toMatchObject({
        status: 'NEW',
        customer_paid: pair[0].amount,
      })
      await advance(client, booking_id, 'cancel', { reason: 'No more' })
      expect(await balance(client)).toBe(pair[0].amount * 2)
    },
    PATIENCE,
  )
})

describe('refunding', () => {
  it('sends a top-up back to the card, once', async () => {
    const client = await rider()
    const started = await topUp(client)
    await onPage(client, started, { card: 'pays' })
    const { payment_id } = started
    await admin.call('refund_payment', { payment_id, amount: 5 })
    expect(await balance(client)).toBe(15)
    await admin.call('refund_payment', { payment_id })
    expect(await attempt(payment_id)).toMatchObject({ status: 'refunded', refunded: 20 })
    expect(await balance(client)).toBe(0)
    const again = admin.call('refund_payment', { payment_id })
    expect((await refusalOf(again)).details.key).toBe('event_not_possible')
  })

  it(
    'once, though the office presses five times at once',
    async () => {
      const client = await rider()
      const started = await topUp(client)
      await onPage(client, started, { card: 'pays' })
      const { payment_id } = started
      const presses = await Promise.allSettled(
        Array.from({ length: 5 }, () => admin.call('refund_payment', { payment_id, amount: 2 })),
      )
      const done = presses.filter(({ status }) => status === 'fulfilled').length
      // Who comes after the first is done asks for another two; who comes at the same time is refused.
      expect(done).toBeGreaterThanOrEqual(1)
      const { refunded = 0 } = (await attempt(payment_id)) ?? {}
      expect(refunded).toBeGreaterThanOrEqual(2)
      expect(refunded).toBeLessThanOrEqual(2 * done)
      expect(await balance(client)).toBe(20 - refunded)
      expect(await scene.read(`payments/${payment_id}/details/bank/refunded`)).toBe(100 * refunded)
    },
    PATIENCE,
  )
})
