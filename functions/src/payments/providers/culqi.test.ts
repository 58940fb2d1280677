import { describe, expect, it } from 'vitest'
import { Forged } from '../adapter'
import { checkoutAnswer } from '../answers'
import { speechFor } from '../language'
import { basic } from '../talking'
import { anOrder, incoming, outside } from '../testing'
import { culqi } from './culqi'

const env = {
  CULQI_PUBLIC_KEY: 'pk_test_1',
  CULQI_SECRET_KEY: 'sk_test_1',
  CULQI_WEBHOOK_USER: 'user',
  CULQI_WEBHOOK_PASS: 'pass',
}
const charge = {
  object: 'charge',
  id: 'chr_test_1',
  amount: 1999,
  currency_code: 'PEN',
  outcome: { type: 'venta_exitosa', code: 'AUT0000' },
  metadata: { payment: '-Opay_ment-1' },
}
const created = (json: object) => new Response(JSON.stringify(json), { status: 201 })
const order = anOrder({ currency: 'PEN' })
const { Authorization: authorization } = basic('user', 'pass')
const message = (headers: Record<string, string> = { authorization }, data: object = charge) =>
  incoming({
    body: JSON.stringify({
      object: 'event',
      type: 'charge.creation.succeeded',
      data: JSON.stringify({ ...data, amount: 1 }),
    }),
    headers,
  })
const submit = (answer: unknown, fields: Record<string, string> = {}) => {
  const world = outside(() => answer)
  const form = new URLSearchParams({ step: 'token', token: 'tkn_test_1', ...fields })
  const done = Promise.resolve().then(() => culqi(env, world)?.submitted?.(order, form))
  return { world, done }
}

describe('culqi', () => {
  it('is not there without all its keys', () => {
    for (const name of Object.keys(env)) expect(culqi({ ...env, [name]: '' }, outside())).toBeNull()
  })
  it('serves a page that lets only Culqi in, and no text out', async () => {
    const evil = '</script><script>alert(1)</script>'
    const order = anOrder({ currency: 'PEN', description: evil, title: evil })
    const checkout = await culqi(env, outside())?.checkout(order)
    if (!checkout) throw new Error('There is no page.')
    const { body, headers } = checkoutAnswer(checkout, 'https://app.example', speechFor('en'))
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('sk_test_1')
    expect(headers['Content-Security-Policy']).toMatch(
      /script-src 'nonce-[^']+' https:\/\/js\.culqi\.com https:\/\/3ds\.culqi\.com;/,
    )
  })
  it('charges the token at the server’s amount', async () => {
    const { world, done } = submit(created(charge), { amount: '1', device: 'dev-1' })
    expect(await done).toMatchObject({ next: 'return', event: { status: 'paid', minor: 1999 } })
    expect(world.asked[0]?.json).toMatchObject({
      amount: 1999,
      currency_code: 'PEN',
      antifraud_details: {
        first_name: 'Ana',
        phone_number: '15555550103',
        device_finger_print_id: 'dev-1',
      },
    })
    expect(world.asked[0]?.json).not.toHaveProperty('authentication_3DS')
  })
  it.each<[string, () => unknown, string]>([
    [
      'a refused card',
      () => new Response('{"object":"error","charge_id":"chr_x"}', { status: 402 }),
      'chr_x',
    ],
    [
      'a charge that came to nothing',
      () => created({ ...charge, outcome: { type: 'rechazada' } }),
      'try_',
    ],
    ['an answer that is no charge', () => ({ object: 'charge' }), 'try_'],
  ])('%s charges nothing', async (_, answer, ref) => {
    const { event } = (await submit(answer()).done) ?? {}
    expect(event).toMatchObject({ status: 'failed', minor: 1999 })
    expect(event?.ref.startsWith(ref)).toBe(true)
  })
  it('a form without a token is none', async () => {
    await expect(submit(created(charge), { token: '../refunds' }).done).rejects.toThrow('token')
  })

  describe('when the bank wants to know more', () => {
    const review = () => ({ action_code: 'REVIEW', user_message: '3DS' })
    const parameters = {
      eci: '05',
      xid: 'Y2FyZGluYWw=',
      cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
      protocolVersion: '2.1.0',
      directoryServerTransactionId: 'e6ca4ca9-0b87-4ed3-8ae3-1a2b3c4d5e6f',
    }
    const bank = { step: 'bank', proof: JSON.stringify({ ...parameters, evil: 'x' }) }
    it('charges nothing yet, and opens its window over a page of ours', async () => {
      const { event, next } = (await submit(review()).done) ?? {}
      expect(event).toMatchObject({ status: 'failed' })
      if (!next || next === 'return') throw new Error('There is no page.')
      const { body, headers } = checkoutAnswer(next, 'https://app.example', speechFor('en'))
      expect(body).toContain('name="step" value="bank"')
      expect(body).toContain('name="token" value="tkn_test_1"')
      expect(body).toContain('Culqi3DS.initAuthentication("tkn_test_1")')
      expect(body).toContain('"totalAmount":1999,"currency":"PEN"')
      expect(body).not.toContain('sk_test_1')
      expect(headers['Content-Security-Policy']).toMatch(
        /script-src 'nonce-[^']+' https:\/\/3ds\.culqi\.com;/,
      )
    })
    it('the bank’s proof goes with the second charge, and nothing else of it', async () => {
      const { world, done } = submit(created(charge), bank)
      expect(await done).toMatchObject({ next: 'return', event: { status: 'paid' } })
      expect(world.asked[0]?.json).toMatchObject({ source_id: 'tkn_test_1', amount: 1999 })
      expect((world.asked[0]?.json as { authentication_3DS: object }).authentication_3DS).toEqual(
        parameters,
      )
    })
    it.each(['', 'no json', '{}', '[]', '"05"', '{"evil":"x"}'])(
      'no proof (%s) charges nothing',
      async (proof) => {
        const { world, done } = submit(created(charge), { ...bank, proof })
        expect(await done).toMatchObject({ next: 'return', event: { status: 'failed' } })
        expect(world.asked).toEqual([])
      },
    )
    it('a bank that asks again is not asked for ever', async () => {
      expect(await submit(review(), bank).done).toMatchObject({
        next: 'return',
        event: { status: 'failed' },
      })
    })
    it('two failures of one token are two events', async () => {
      const world = outside(() => review())
      const adapter = culqi(env, world)
      const form = new URLSearchParams({ step: 'token', token: 'tkn_test_1' })
      const first = await adapter?.submitted?.(order, form)
      const second = await adapter?.submitted?.(order, form)
      expect(first?.event?.ref).not.toBe(second?.event?.ref)
    })
  })

  it('is asked by amount and time; only our own good charge counts', async () => {
    const asked = { payment: '-Opay_ment-1', minor: 1999, currency: 'PEN', refunded: 0 }
    const ask = (...data: object[]) => {
      const world = outside(() => ({ data, paging: {} }))
      return { world, said: culqi(env, world)?.ask?.({ ...asked, createdAt: 1_795_186_000_000 }) }
    }
    const other = { ...charge, id: 'chr_test_2', metadata: { payment: 'other' } }
    const bad = { ...charge, id: 'chr_test_3', outcome: { type: 'rechazada' } }
    const { world, said } = ask(other, bad, charge)
    expect(await said).toMatchObject({ status: 'paid', ref: 'chr_test_1', minor: 1999 })
    expect(world.asked[0]?.url).toBe(
      'https://api.culqi.com/v2/charges?amount=1999&currency_code=PEN&creation_date_from=1795185940000&limit=100',
    )
    expect(await ask(other, bad).said).toBeNull()
  })
  it('refunds once, though the first answer was lost', async () => {
    const asked = { payment: 'p', minor: 1999, currency: 'PEN', ref: 'chr_test_1', createdAt: 0 }
    const refund = (amount_refunded: number) => {
      const world = outside(() => ({ ...charge, amount_refunded }))
      return { world, done: culqi(env, world)?.refund?.({ ...asked, refunded: 0 }, 500, 'k') }
    }
    const sent = refund(0)
    expect(await sent.done).toMatchObject({ status: 'refunded', minor: 500, cumulative: true })
    expect(sent.world.asked.map(({ url }) => url.split('/').at(-1))).toEqual([
      'chr_test_1',
      'refunds',
    ])
    const lost = refund(500)
    expect(await lost.done).toMatchObject({ minor: 500 })
    expect(lost.world.asked).toHaveLength(1)
  })
  it('a message is a hint: the charge is asked for', async () => {
    const heard = await culqi(
      env,
      outside(() => charge),
    )?.notified(message())
    expect(heard?.events).toMatchObject([{ status: 'paid', minor: 1999, ref: 'chr_test_1' }])
    const back = outside(() => ({ ...charge, amount_refunded: 500 }))
    expect((await culqi(env, back)?.notified(message()))?.events).toHaveLength(2)
    const failed = outside(() => ({ ...charge, outcome: { type: 'rechazada' } }))
    expect((await culqi(env, failed)?.notified(message()))?.events).toEqual([])
    const odd = message(undefined, { id: '../../orders' })
    expect((await culqi(env, outside())?.notified(odd))?.events).toEqual([])
  })
  it('refuses a message without the password, with another, or cut', async () => {
    const adapter = culqi(
      env,
      outside(() => charge),
    )
    await expect(adapter?.notified(message({}))).rejects.toThrow(Forged)
    const other = { authorization: basic('user', 'other').Authorization }
    await expect(adapter?.notified(message(other))).rejects.toThrow(Forged)
    const cut = incoming({ body: '{"object":"ev', headers: { authorization } })
    await expect(adapter?.notified(cut)).rejects.toThrow(Forged)
  })
})
