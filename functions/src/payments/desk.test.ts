import { describe, expect, it } from 'vitest'
import type { Booking } from '~/domain/entities'
import type { PaymentAttempt } from '~/domain/payments/attempt'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { get_providers } from '../endpoints/getProviders'
import { refund_payment } from '../endpoints/refundPayment'
import { resolve_payment } from '../endpoints/resolvePayment'
import { start_payment } from '../endpoints/startPayment'
import { aProject, as, refusedKey, TEST_NOW } from '../testing'
import { keyring } from './desk'
import { CHALLENGE_CODE, testSignature } from './providers/test'
import { reconcilePayments } from './reconcile'
import { aDesk, LOCAL } from './testing'

type Desk = ReturnType<typeof aDesk>
const MINUTE = 60_000
const waiting = aBooking({ status: 'PAYMENT_PENDING' })
const withBooking = (over: Partial<Booking> = {}) =>
  aDesk({ bookings: { [waiting.id]: { ...waiting, ...over } } })

const topUp = async (desk: Desk, amount = 20) => {
  const asked = { payment_mode: 'topup', provider: 'test', amount } as const
  const started = await start_payment.handle(asked, as('rider', 'rider', desk))
  return (started as { payment_id: string }).payment_id
}
const card = async (desk: Desk, more: object = {}) => {
  const asked = { payment_mode: 'card', provider: 'test', booking_id: waiting.id, ...more } as const
  const started = await start_payment.handle(asked, as('rider', 'rider', desk))
  return (started as { payment_id: string }).payment_id
}
const submit = (desk: Desk, order_id: string, more: Record<string, string>) =>
  desk.pay({ order_id, cust_id: 'rider', step: 'card', choice: 'pay', ...more })
const attempt = (desk: Desk, id: string) => desk.attempts().find((a) => a.id === id)

describe('the list of providers', () => {
  const list = (desk: Desk) => get_providers.handle({}, { ...desk, caller: null })
  it('has the test provider in local mode, at our own address', async () => {
    expect(await list(aDesk())).toEqual([
      { name: 'test', link: 'http://127.0.0.1:5001/demo-kerbside/us-central1/pay_test' },
    ])
  })
  it.each([
    ['in production', { GCLOUD_PROJECT: 'kerbside-live' }],
    ['on a real project in the emulator', { ...LOCAL, GCLOUD_PROJECT: 'kerbside-live' }],
    ['with an empty secret', { ...LOCAL, KERBSIDE_TEST_PAYMENT_SECRET: '' }],
  ])('has it not %s', async (_, env) => {
    const desk = aDesk({}, env)
    expect(await list(desk)).toEqual([])
    expect((await desk.hook('{}')).answer.status).toBe(404)
    expect((await desk.pay({ order_id: 'x' })).answer.status).toBe(404)
  })
  it('reads keys from one secret, and the environment wins', () => {
    const env = keyring({ PAYMENT_KEYS: '{"A":"1","B":"2"}', B: '3' })
    expect([env.A, env.B]).toEqual(['1', '3'])
  })
})

describe('the specification’s form', () => {
  it('opens the page of the attempt it names, whatever else it says', async () => {
    const desk = aDesk()
    const order_id = await topUp(desk)
    const { answer } = await desk.pay({
      order_id,
      amount: '0.01',
      currency: 'USD',
      product_name: '"><script>alert(1)</script>',
      first_name: '"><script>',
      last_name: '',
      quantity: '1',
      cust_id: 'rider',
      mobile_no: '',
      email: '',
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toContain('UYU 20.00')
    expect(answer.body).not.toContain('<script')
    expect(answer.headers['Content-Security-Policy']).toContain("default-src 'none'")
    expect(answer.headers['Content-Security-Policy']).toContain("script-src 'none'")
  })
  it('what a rider is called stays text', async () => {
    const { users } = aProject()
    const name = '"><script>alert(1)</script>'
    const desk = aDesk({
      users: { ...users, rider: aRider({ firstName: name }) },
      settings: aSettings({ appName: name }),
    })
    const { answer } = await desk.pay({ order_id: await topUp(desk), cust_id: 'rider' })
    expect(answer.body).not.toContain('<script>')
  })
  it('may name the booking itself: an attempt over all that is due begins', async () => {
    const desk = withBooking()
    const { answer } = await desk.pay({ order_id: waiting.id, cust_id: 'rider' })
    expect(answer.body).toContain('UYU 43.13')
    expect(desk.attempts()).toMatchObject([{ booking: waiting.id, amount: 43.13, uid: 'rider' }])
  })
  it.each([
    ['an unknown order', { order_id: 'nothing', cust_id: 'rider' }],
    ['a path', { order_id: '../users/rider', cust_id: 'rider' }],
    ['somebody else’s booking', { order_id: waiting.id, cust_id: 'driver' }],
    ['nobody’s booking', { order_id: waiting.id }],
    ['nothing', {}],
  ])('%s opens nothing', async (_, form) => {
    const desk = withBooking()
    expect((await desk.pay(form as Record<string, string>)).answer.status).toBe(404)
    expect(desk.attempts()).toEqual([])
  })
  it('another payer’s or another provider’s attempt opens nothing', async () => {
    const desk = aDesk()
    const order_id = await topUp(desk)
    expect((await desk.pay({ order_id, cust_id: 'driver' })).answer.status).toBe(404)
    expect((await desk.pay({ order_id, cust_id: 'rider' }, 'stripe')).answer.status).toBe(404)
  })
  it('a paid one leads back to the app', async () => {
    const desk = aDesk()
    const order_id = await topUp(desk)
    await submit(desk, order_id, { card: 'pays' })
    const { answer } = await desk.pay({ order_id, cust_id: 'rider' })
    expect([answer.status, answer.headers.Location]).toEqual([
      303,
      `http://127.0.0.1:5050/payment-return?payment=${order_id}`,
    ])
  })
  it('a day later it is too late to open', async () => {
    const desk = aDesk()
    const order_id = await topUp(desk)
    desk.pass(25 * 60 * MINUTE)
    expect((await desk.pay({ order_id, cust_id: 'rider' })).answer.status).toBe(404)
  })
})

describe('the test provider', () => {
  it('a good card tops the wallet up, once', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    const { answer } = await submit(desk, id, { card: 'pays' })
    expect(answer.headers.Location).toContain('/payment_return/test?payment=')
    expect(desk.balance()).toBe(20)
    const { answer: home } = await desk.back(id)
    expect(home.headers.Location).toBe(`http://127.0.0.1:5050/payment-return?payment=${id}`)
    expect(desk.balance()).toBe(20)
  })
  it('a booking is paid by card, with some of it from the wallet', async () => {
    const { users } = aProject()
    const history = { start: { type: 'Credit', amount: 10, date: 1, txRef: 'start' } }
    const rich = { ...users.rider, walletBalance: 10, walletHistory: history }
    const desk = aDesk({
      users: { ...users, rider: rich },
      bookings: { [waiting.id]: waiting },
    })
    const id = await card(desk, { usedWalletMoney: 10 })
    expect(attempt(desk, id)?.amount).toBe(33.13)
    await submit(desk, id, { card: 'pays' })
    expect(desk.db.at(`bookings/${waiting.id}`)).toMatchObject({
      status: 'NEW',
      gateway: 'test',
      cardPaymentAmount: 33.13,
      usedWalletMoney: 10,
    })
    expect(desk.balance()).toBe(0)
  })
  it('twenty deliveries at once credit once', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    const body = JSON.stringify({
      type: 'payment.paid',
      order_id: id,
      payment_id: 'p1',
      amount: 2000,
      currency: 'UYU',
    })
    const signature = testSignature('kerbside-test-provider', body, TEST_NOW / 1000)
    const all = await Promise.all(
      Array.from({ length: 20 }, () => desk.hook(body, { 'x-test-signature': signature })),
    )
    expect(new Set(all.map(({ answer }) => answer.status))).toEqual(new Set([200]))
    expect(desk.balance()).toBe(20)
    expect(Object.keys(desk.db.at('payment_events') as object)).toEqual(['test-p1'])
  })
  it('a declined card says so, and another one may follow', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    const { answer } = await submit(desk, id, { card: 'declined' })
    expect(answer.body).toContain('declined')
    expect(attempt(desk, id)?.status).toBe('failed')
    await submit(desk, id, { card: 'pays' })
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['paid', 20])
  })
  it('the bank’s code has to be right', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    expect((await submit(desk, id, { card: 'challenge' })).answer.body).toContain('Your bank')
    const wrong = await submit(desk, id, { step: 'challenge', code: '1' })
    expect(wrong.answer.body).toContain('not the code')
    expect(desk.balance()).toBe(0)
    await submit(desk, id, { step: 'challenge', code: CHALLENGE_CODE })
    expect(desk.balance()).toBe(20)
  })
  it('leaving leads back and charges nothing', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    const { answer } = await submit(desk, id, { choice: 'leave' })
    expect(answer.headers.Location).toContain('hint=cancelled')
    const back = await desk.back(id, { hint: 'cancelled' })
    expect(back.answer.headers.Location).toContain('hint=cancelled')
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['created', 0])
  })
  it('a late message finds its payment', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'late' })
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['pending', 0])
    desk.pass(5000)
    await desk.late()
    await expect.poll(() => desk.balance()).toBe(20)
  })
  it('a message that comes twice counts once', async () => {
    const desk = aDesk()
    await submit(desk, await topUp(desk), { card: 'twice' })
    expect(desk.asked).toHaveLength(3)
    expect(desk.balance()).toBe(20)
  })
  it('another amount is parked for the office, which credits it', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'less' })
    await desk.back(id)
    expect(attempt(desk, id)).toMatchObject({
      status: 'pending',
      problem: 'amount_mismatch',
      parked: { amount: 19.99 },
    })
    expect(desk.balance()).toBe(0)
    const resolve = () =>
      resolve_payment.handle({ payment_id: id, how: 'credit' }, as('admin', 'admin', desk))
    expect(await resolve()).toEqual({ payment_id: id, status: 'cancelled' })
    expect(await refusedKey(resolve())).toBe('already_processed')
    expect(desk.balance()).toBe(19.99)
  })
  it.each([
    ['forged', 'other-secret', 0, ''],
    ['stale', 'kerbside-test-provider', 301, ''],
    ['from the future', 'kerbside-test-provider', -301, ''],
    ['truncated', 'kerbside-test-provider', 0, 'cut'],
  ])('a %s message is refused and changes nothing', async (_, secret, age, cut) => {
    const desk = aDesk()
    const id = await topUp(desk)
    const body = `{"type":"payment.paid","order_id":"${id}","payment_id":"p","amount":2000,"currency":"UYU"}`
    const signature = testSignature(secret, body, TEST_NOW / 1000 - age)
    const sent = cut ? body.slice(0, -3) : body
    const { answer } = await desk.hook(sent, { 'x-test-signature': signature })
    expect([answer.status, answer.body]).toEqual([400, ''])
    expect((await desk.hook(body)).answer.status).toBe(400)
    expect(desk.balance()).toBe(0)
  })
})

describe('a booking that is paid by card', () => {
  const automatic = { settings: aSettings({ autoDispatch: true }) }
  const requested = (desk: Desk) => desk.db.at(`bookings/${waiting.id}/requestedDrivers`)
  it('asks the drivers around at once, though the message comes twice and the payer comes back', async () => {
    const desk = aDesk({ ...automatic, bookings: { [waiting.id]: waiting } })
    const id = await card(desk)
    await Promise.all([submit(desk, id, { card: 'twice' }), desk.back(id)])
    expect(requested(desk)).toEqual({ driver: true })
    const told = Object.values(desk.db.at('inbox/driver') as Record<string, { screen: string }>)
    expect(told.map(({ screen }) => screen)).toEqual(['DriverTrips'])
  })
  it('asks nobody when the office assigns by hand, or its hour is far away', async () => {
    const byHand = withBooking()
    await submit(byHand, await card(byHand), { card: 'pays' })
    expect([byHand.db.at(`bookings/${waiting.id}/status`), requested(byHand)]).toEqual([
      'NEW',
      null,
    ])
    const later = { ...waiting, bookLater: true, tripdate: TEST_NOW + 24 * 60 * MINUTE }
    const desk = aDesk({ ...automatic, bookings: { [waiting.id]: later } })
    await submit(desk, await card(desk), { card: 'pays' })
    expect([desk.db.at(`bookings/${waiting.id}/status`), requested(desk)]).toEqual(['NEW', null])
  })
})

describe('a provider that charges from our page', () => {
  const keys = {
    CULQI_PUBLIC_KEY: 'pk_test_1',
    CULQI_SECRET_KEY: 'sk_test_1',
    CULQI_WEBHOOK_USER: 'user',
    CULQI_WEBHOOK_PASS: 'pass',
  }
  const good = { object: 'charge', id: 'chr_1', amount: 2000, currency_code: 'PEN' }
  const open = async (answer: (body: { authentication_3DS?: object }) => Response) => {
    const settings = aSettings({ code: 'PEN' })
    const desk = aDesk({ settings }, { ...LOCAL, ...keys }, ({ json }) => answer(json as object))
    const asked = { payment_mode: 'topup', provider: 'culqi', amount: 20 } as const
    const started = await start_payment.handle(asked, as('rider', 'rider', desk))
    const { payment_id: order_id } = started as { payment_id: string }
    const send = (more: Record<string, string>) =>
      desk.pay({ order_id, cust_id: 'rider', token: 'tkn_test_1', ...more }, 'culqi')
    const paid = { ...good, outcome: { type: 'venta_exitosa' }, metadata: { payment: order_id } }
    return { desk, id: order_id, send, paid }
  }
  const reply = (json: object, status: number) => new Response(JSON.stringify(json), { status })

  it('lets the bank’s proof in after the bank was asked', async () => {
    const { desk, id, send, paid } = await open((body) =>
      body.authentication_3DS ? reply(paid, 201) : reply({ action_code: 'REVIEW' }, 200),
    )
    const { answer } = await send({ step: 'token' })
    expect(answer.body).toContain('Culqi3DS.initAuthentication')
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['failed', 0])
    await send({ step: 'bank', proof: '{"eci":"05"}' })
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['paid', 20])
  })
  it('is let in once when the form is sent twice at once', async () => {
    let charges = 0
    const { desk, id, send, paid } = await open(() => {
      charges += 1
      return reply(paid, 201)
    })
    await Promise.all(Array.from({ length: 50 }, () => send({ step: 'token' })))
    expect([charges, attempt(desk, id)?.status, desk.balance()]).toEqual([1, 'paid', 20])
  })
})

describe('two attempts on one booking', () => {
  it('the second one’s money is its payer’s', async () => {
    const desk = withBooking()
    const [first, second] = [await card(desk), await card(desk)]
    await Promise.all([
      submit(desk, first, { card: 'pays' }),
      submit(desk, second, { card: 'pays' }),
    ])
    expect(desk.db.at(`bookings/${waiting.id}/status`)).toBe('NEW')
    expect(desk.balance()).toBe(43.13)
    expect(desk.attempts().map(({ applied_to }) => applied_to)).toEqual(
      expect.arrayContaining(['booking', 'wallet']),
    )
  })
})

describe('reconciling', () => {
  it('asks for what nobody told, and leaves fresh ones alone', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'late' })
    desk.pass(4 * MINUTE)
    expect((await reconcilePayments(desk, TEST_NOW + 4 * MINUTE)).settled).toEqual([])
    desk.pass(2 * MINUTE)
    expect((await reconcilePayments(desk, TEST_NOW + 6 * MINUTE)).settled).toEqual([id])
    expect(desk.balance()).toBe(20)
    await desk.late()
    expect(desk.balance()).toBe(20)
  })
  it('ends what nobody paid within a day, and money that comes after all is taken', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    const later = TEST_NOW + 25 * 60 * MINUTE
    desk.pass(25 * 60 * MINUTE)
    expect(await reconcilePayments(desk, later)).toEqual({ settled: [], ended: [id] })
    await desk.payments.receive({
      payment: id,
      gateway: 'test',
      ref: 'late',
      status: 'paid',
      minor: 2000,
      currency: 'UYU',
    })
    expect([attempt(desk, id)?.status, desk.balance()]).toEqual(['paid', 20])
  })
})

describe('asking', () => {
  const rows = (count: number, createdAt = TEST_NOW) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, i) => {
        const id = `-P${String(i).padStart(4, '0')}`
        const attempt: PaymentAttempt = {
          id,
          uid: 'rider',
          kind: 'wallet',
          gateway: 'test',
          amount: 20,
          currency: 'UYU',
          createdAt,
          revision: 1,
          status: 'created',
        }
        return [id, attempt]
      }),
    )
  /** How often a desk's provider is asked at each of these ages (minutes). */
  const asks = async (desk: Desk, minutes: number[], hasTime?: () => boolean) => {
    let count = 0
    const counting = {
      ...desk.payments,
      adapter: (name: string) => {
        const adapter = desk.payments.adapter(name)
        return adapter && { ...adapter, ask: () => Promise.resolve(void count++ as never) }
      },
    }
    for (const age of minutes)
      await reconcilePayments({ ...desk, payments: counting }, TEST_NOW + age * MINUTE, hasTime)
    return count
  }
  it('becomes rarer with time', async () => {
    const desk = aDesk({ payments: rows(1) })
    const each = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
    expect(await asks(desk, each(0, 30))).toBe(25)
    expect(await asks(desk, each(30, 24 * 60))).toBe(47)
  })
  it('reaches those behind the first page', async () => {
    expect(await asks(aDesk({ payments: rows(450) }), [6])).toBe(450)
  })
  it('ends when there is no time, and goes on the next minute', async () => {
    let left = 3
    expect(await asks(aDesk({ payments: rows(450) }), [6], () => left-- > 0)).toBe(24)
  })
  it('is not tried where a provider can’t be asked; the attempt ends in its time all the same', async () => {
    const desk = aDesk({ payments: rows(1) })
    const silent = {
      ...desk.payments,
      adapter: (name: string) => {
        const adapter = desk.payments.adapter(name)
        if (!adapter) return null
        const { id, supports, checkout, notified } = adapter
        return { id, supports, checkout, notified }
      },
    }
    const at = (age: number) =>
      reconcilePayments({ ...desk, payments: silent }, TEST_NOW + age * MINUTE)
    expect(await at(6)).toEqual({ settled: [], ended: [] })
    expect((await at(25 * 60)).ended).toEqual(['-P0000'])
  })
})

describe('what is on its way', () => {
  it('is waited for a week', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await desk.payments.receive({
      payment: id,
      gateway: 'test',
      ref: 'slow',
      status: 'pending',
      minor: 2000,
      currency: 'UYU',
    })
    const after = (days: number) => reconcilePayments(desk, TEST_NOW + days * 24 * 60 * MINUTE)
    expect((await after(6)).ended).toEqual([])
    expect((await after(8)).ended).toEqual([id])
  })
})

describe('refunding', () => {
  const refund = (desk: Desk, payment_id: string, amount?: number) =>
    refund_payment.handle({ payment_id, amount }, as('admin', 'admin', desk))
  it('sends money from the wallet back to the card, in parts, and writes it down', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'pays' })
    expect(await refund(desk, id, 5)).toMatchObject({ status: 'partially_refunded', refunded: 5 })
    expect(await refund(desk, id)).toMatchObject({ status: 'refunded', refunded: 20 })
    expect(desk.balance()).toBe(0)
    expect(await refusedKey(refund(desk, id))).toBe('event_not_possible')
    expect(Object.keys(desk.db.at('audit') as object)).toHaveLength(2)
  })
  it('once, though two of the office press at once, or the first answer was lost', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'pays' })
    const both = await Promise.allSettled([refund(desk, id, 5), refund(desk, id, 5)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const bank = () => desk.db.at(`payments/${id}/details/bank/refunded`)
    expect([bank(), desk.balance(), attempt(desk, id)?.refunded]).toEqual([500, 15, 5])
    // The bank has refunded, and its answer is lost on the way.
    const deaf = { ...desk.payments, receive: () => Promise.reject(new Error('lost')) }
    await expect(refund({ ...desk, payments: deaf }, id, 5)).rejects.toThrow('lost')
    await refund(desk, id, 5)
    expect([bank(), desk.balance(), attempt(desk, id)?.refunded]).toEqual([1000, 10, 10])
  })
  it('not beside another one that is on its way', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'pays' })
    let beside = ''
    const slow = {
      ...desk.payments,
      adapter: (name: string) => {
        const adapter = desk.payments.adapter(name)
        const send = adapter?.refund
        if (!adapter || !send) return null
        const refundSlowly: typeof send = async (...given) => {
          beside = await refusedKey(refund(desk, id, 5))
          return send(...given)
        }
        return { ...adapter, refund: refundSlowly }
      },
    }
    await refund({ ...desk, payments: slow }, id, 5)
    expect([beside, attempt(desk, id)?.refunded]).toEqual(['changed_meanwhile', 5])
    expect((await refund(desk, id, 5)).refunded).toBe(10)
  })
  it('is written down before the money moves, though nobody hears of it afterwards', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    await submit(desk, id, { card: 'pays' })
    const deaf = { ...desk.payments, receive: () => Promise.reject(new Error('lost')) }
    await expect(refund({ ...desk, payments: deaf }, id, 5)).rejects.toThrow('lost')
    expect(Object.values(desk.db.at('audit') as object)).toMatchObject([
      { by: 'admin', action: 'payment_refund', to: { amount: 5 } },
    ])
  })
  it('a booking’s money goes back to the card only after cancelling, and only once', async () => {
    const desk = withBooking()
    const id = await card(desk)
    await submit(desk, id, { card: 'pays' })
    expect(await refusedKey(refund(desk, id))).toBe('cancel_first')
    const given = { event: 'cancel', reason: 'changed_mind' } as const
    await desk.bookings.change(waiting.id, given, { uid: 'rider', role: 'rider' })
    expect(desk.balance()).toBe(43.13)
    await desk.db.update({ 'users/rider/walletBalance': 40 })
    expect(await refusedKey(refund(desk, id))).toBe('wallet_too_low')
    expect(await refund(desk, id, 40)).toMatchObject({ refunded: 40 })
    expect(desk.balance()).toBe(0)
  })
  it('not more than there is, and not what was spent', async () => {
    const desk = aDesk()
    const id = await topUp(desk)
    expect(await refusedKey(refund(desk, id))).toBe('event_not_possible')
    await submit(desk, id, { card: 'pays' })
    expect(await refusedKey(refund(desk, id, 20.01))).toBe('bad_input')
    await desk.db.update({ 'users/rider/walletBalance': 3 })
    expect(await refusedKey(refund(desk, id))).toBe('wallet_too_low')
    expect(await refusedKey(refund(desk, 'nothing'))).toBe('not_found')
  })
})

describe('starting', () => {
  it('an amount the currency can’t have is refused, a top-up is rounded to what it can', async () => {
    const yen = aDesk({ settings: aSettings({ code: 'JPY' }), bookings: { [waiting.id]: waiting } })
    expect(await refusedKey(card(yen))).toBe('bad_input')
    expect(attempt(yen, await topUp(yen, 20.4))?.amount).toBe(20)
    const dinar = aDesk({ settings: aSettings({ code: 'KWD', decimal: 3 }) })
    expect(attempt(dinar, await topUp(dinar, 1.2345))?.amount).toBe(1.235)
  })
})
