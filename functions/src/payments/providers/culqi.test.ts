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
  metadata: { payment: '-Opay_ment-1' },
}
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
const submit = (answer: unknown, token = 'tkn_test_1') =>
  culqi(
    env,
    outside(() => answer),
  )?.submitted?.(order, new URLSearchParams({ token }))

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
      /script-src 'nonce-[^']+' https:\/\/js\.culqi\.com;/,
    )
  })
  it('charges the token at the server’s amount', async () => {
    const world = outside(() => charge)
    const done = await culqi(env, world)?.submitted?.(
      order,
      new URLSearchParams({ token: 'tkn_test_1', amount: '1' }),
    )
    expect(done).toMatchObject({ next: 'return', event: { status: 'paid', minor: 1999 } })
    expect(world.asked[0]?.json).toMatchObject({ amount: 1999, currency_code: 'PEN' })
  })
  it('a refused card, or one whose bank wants more, charges nothing', async () => {
    const refused = new Response('{"object":"error","charge_id":"chr_x"}', { status: 402 })
    expect(await submit(refused)).toMatchObject({ event: { status: 'failed', ref: 'chr_x' } })
    expect(await submit({ action_code: 'REVIEW' })).toMatchObject({ event: { status: 'failed' } })
    await expect(submit(charge, '../refunds')).rejects.toThrow('token')
  })
  it('a message is a hint: the charge is asked for', async () => {
    const heard = await culqi(
      env,
      outside(() => charge),
    )?.notified(message())
    expect(heard?.events).toMatchObject([{ status: 'paid', minor: 1999, ref: 'chr_test_1' }])
    const back = outside(() => ({ ...charge, amount_refunded: 500 }))
    expect((await culqi(env, back)?.notified(message()))?.events).toHaveLength(2)
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
