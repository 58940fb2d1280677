import { describe, expect, it } from 'vitest'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import { renderCheckout } from '../../../endpoints/payments/pages/pageResponses'
import { translatorFor } from '../../../endpoints/payments/pages/pageTranslator'
import { createBasicHeader } from '../providerHttp'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
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
const order = aCheckoutOrder({ currency: 'PEN' })
const { Authorization: authorization } = createBasicHeader('user', 'pass')
const message = (headers: Record<string, string> = { authorization }, data: object = charge) =>
  aWebhookRequest({
    body: JSON.stringify({
      object: 'event',
      type: 'charge.creation.succeeded',
      data: JSON.stringify({ ...data, amount: 1 }),
    }),
    headers,
  })
const submit = (answer: unknown, fields: Record<string, string> = {}) => {
  const deps = createFakeDeps(() => answer)
  const form = new URLSearchParams({ step: 'token', token: 'tkn_test_1', ...fields })
  const done = Promise.resolve().then(() => culqi(env, deps)?.submitForm?.(order, form))
  return { deps, done }
}

describe('culqi', () => {
  it('requires all its keys', () => {
    for (const name of Object.keys(env))
      expect(culqi({ ...env, [name]: '' }, createFakeDeps())).toBeNull()
  })
  it('serves a page that allows only Culqi and escapes all text', async () => {
    const evil = '</script><script>alert(1)</script>'
    const order = aCheckoutOrder({ currency: 'PEN', description: evil, title: evil })
    const checkout = await culqi(env, createFakeDeps())?.checkout(order)
    if (!checkout) throw new Error('There is no page.')
    const { body, headers } = renderCheckout(checkout, 'https://app.example', translatorFor('en'))
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('sk_test_1')
    expect(headers['Content-Security-Policy']).toMatch(
      /script-src 'nonce-[^']+' https:\/\/js\.culqi\.com https:\/\/3ds\.culqi\.com;/,
    )
  })
  it('charges the token with the server’s amount', async () => {
    const { deps, done } = submit(created(charge), { amount: '1', device: 'dev-1' })
    expect(await done).toMatchObject({ next: 'return', event: { status: 'paid', minor: 1999 } })
    expect(deps.requests[0]?.json).toMatchObject({
      amount: 1999,
      currency_code: 'PEN',
      antifraud_details: {
        first_name: 'Ana',
        phone_number: '15555550103',
        device_finger_print_id: 'dev-1',
      },
    })
    expect(deps.requests[0]?.json).not.toHaveProperty('authentication_3DS')
  })
  it.each<[string, () => unknown, string]>([
    [
      'a refused card',
      () => new Response('{"object":"error","charge_id":"chr_x"}', { status: 402 }),
      'chr_x',
    ],
    [
      'a charge without a successful outcome',
      () => created({ ...charge, outcome: { type: 'rechazada' } }),
      'try_',
    ],
    ['a response that is not a charge', () => ({ object: 'charge' }), 'try_'],
  ])('makes no charge after %s', async (_, answer, ref) => {
    const { event } = (await submit(answer()).done) ?? {}
    expect(event).toMatchObject({ status: 'failed', minor: 1999 })
    expect(event?.ref.startsWith(ref)).toBe(true)
  })
  it('rejects a form without a token', async () => {
    await expect(submit(created(charge), { token: '../refunds' }).done).rejects.toThrow('token')
  })

  describe('when the bank requires a challenge', () => {
    const review = () => ({ action_code: 'REVIEW', user_message: '3DS' })
    const parameters = {
      eci: '05',
      xid: 'Y2FyZGluYWw=',
      cavv: 'AAABAWFlmQAAAABjRWWZEEFgFz8=',
      protocolVersion: '2.1.0',
      directoryServerTransactionId: 'e6ca4ca9-0b87-4ed3-8ae3-1a2b3c4d5e6f',
    }
    const bank = { step: 'bank', proof: JSON.stringify({ ...parameters, evil: 'x' }) }
    it('makes no charge yet and opens the bank’s window over our page', async () => {
      const { event, next } = (await submit(review()).done) ?? {}
      expect(event).toMatchObject({ status: 'failed' })
      if (!next || next === 'return') throw new Error('There is no page.')
      const { body, headers } = renderCheckout(next, 'https://app.example', translatorFor('en'))
      expect(body).toContain('name="step" value="bank"')
      expect(body).toContain('name="token" value="tkn_test_1"')
      expect(body).toContain('Culqi3DS.initAuthentication("tkn_test_1")')
      expect(body).toContain('"totalAmount":1999,"currency":"PEN"')
      expect(body).not.toContain('sk_test_1')
      expect(headers['Content-Security-Policy']).toMatch(
        /script-src 'nonce-[^']+' https:\/\/3ds\.culqi\.com;/,
      )
    })
    it('sends the bank’s proof, and none of its other fields, with the second charge', async () => {
      const { deps, done } = submit(created(charge), bank)
      expect(await done).toMatchObject({ next: 'return', event: { status: 'paid' } })
      expect(deps.requests[0]?.json).toMatchObject({ source_id: 'tkn_test_1', amount: 1999 })
      expect(deps.requests[0]?.json).toHaveProperty('authentication_3DS', parameters)
    })
    it.each(['', 'no json', '{}', '[]', '"05"', '{"evil":"x"}'])(
      'makes no charge without a valid proof (%s)',
      async (proof) => {
        const { deps, done } = submit(created(charge), { ...bank, proof })
        expect(await done).toMatchObject({ next: 'return', event: { status: 'failed' } })
        expect(deps.requests).toEqual([])
      },
    )
    it('stops when the bank repeats its challenge', async () => {
      expect(await submit(review(), bank).done).toMatchObject({
        next: 'return',
        event: { status: 'failed' },
      })
    })
    it('treats two failures of one token as two events', async () => {
      const deps = createFakeDeps(() => review())
      const adapter = culqi(env, deps)
      const form = new URLSearchParams({ step: 'token', token: 'tkn_test_1' })
      const first = await adapter?.submitForm?.(order, form)
      const second = await adapter?.submitForm?.(order, form)
      expect(first?.event?.ref).not.toBe(second?.event?.ref)
    })
  })

  it('queries by amount and time, and counts only our own successful charge', async () => {
    const paymentRef = { payment: '-Opay_ment-1', minor: 1999, currency: 'PEN', refunded: 0 }
    const ask = (...data: object[]) => {
      const deps = createFakeDeps(() => ({ data, paging: {} }))
      return {
        deps,
        response: culqi(env, deps)?.fetchStatus?.({ ...paymentRef, createdAt: 1_795_186_000_000 }),
      }
    }
    const other = { ...charge, id: 'chr_test_2', metadata: { payment: 'other' } }
    const bad = { ...charge, id: 'chr_test_3', outcome: { type: 'rechazada' } }
    const { deps, response } = ask(other, bad, charge)
    expect(await response).toMatchObject({ status: 'paid', ref: 'chr_test_1', minor: 1999 })
    expect(deps.requests[0]?.url).toBe(
      'https://api.culqi.com/v2/charges?amount=1999&currency_code=PEN&creation_date_from=1795185940000&limit=100',
    )
    expect(await ask(other, bad).response).toBeNull()
  })
  it('refunds once when the first response was lost', async () => {
    const paymentRef = {
      payment: 'p',
      minor: 1999,
      currency: 'PEN',
      ref: 'chr_test_1',
      createdAt: 0,
    }
    const refund = (amount_refunded: number) => {
      const deps = createFakeDeps(() => ({ ...charge, amount_refunded }))
      return {
        deps,
        done: culqi(env, deps)?.refund?.({ ...paymentRef, refunded: 0 }, 500, 'k'),
      }
    }
    const sent = refund(0)
    expect(await sent.done).toMatchObject({ status: 'refunded', minor: 500, isCumulative: true })
    expect(sent.deps.requests.map(({ url }) => url.split('/').at(-1))).toEqual([
      'chr_test_1',
      'refunds',
    ])
    const lost = refund(500)
    expect(await lost.done).toMatchObject({ minor: 500 })
    expect(lost.deps.requests).toHaveLength(1)
  })
  it('treats a message as a hint and queries the charge', async () => {
    const received = await culqi(
      env,
      createFakeDeps(() => charge),
    )?.parseWebhook(message())
    expect(received?.events).toMatchObject([{ status: 'paid', minor: 1999, ref: 'chr_test_1' }])
    const back = createFakeDeps(() => ({ ...charge, amount_refunded: 500 }))
    expect((await culqi(env, back)?.parseWebhook(message()))?.events).toHaveLength(2)
    const failed = createFakeDeps(() => ({ ...charge, outcome: { type: 'rechazada' } }))
    expect((await culqi(env, failed)?.parseWebhook(message()))?.events).toEqual([])
    const odd = message(undefined, { id: '../../orders' })
    expect((await culqi(env, createFakeDeps())?.parseWebhook(odd))?.events).toEqual([])
  })
  it('refuses a message with no password, a wrong password or a truncated body', async () => {
    const adapter = culqi(
      env,
      createFakeDeps(() => charge),
    )
    await expect(adapter?.parseWebhook(message({}))).rejects.toThrow(InvalidSignatureError)
    const other = { authorization: createBasicHeader('user', 'other').Authorization }
    await expect(adapter?.parseWebhook(message(other))).rejects.toThrow(InvalidSignatureError)
    const cut = aWebhookRequest({ body: '{"object":"ev', headers: { authorization } })
    await expect(adapter?.parseWebhook(cut)).rejects.toThrow(InvalidSignatureError)
  })
})
