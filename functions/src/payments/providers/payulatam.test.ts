import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside } from '../testing'
import { payulatam, payuSign, payuValue, type PayuAlgorithm } from './payulatam'

const KEY = '4Vj8eK4rloUd272L48hsrarnUA'
const env = {
  PAYU_MERCHANT_ID: '508029',
  PAYU_ACCOUNT_ID: '512321',
  PAYU_API_KEY: KEY,
  PAYU_SECRET_KEY: 'test123',
}
const confirmation = (over: Record<string, string> = {}) => {
  const fields = {
    merchant_id: '508029',
    reference_sale: '-Opay_ment-1',
    value: '150.00',
    currency: 'USD',
    state_pol: '4',
    transaction_id: 'T1',
    ...over,
  }
  const { merchant_id, reference_sale, value, currency, state_pol } = fields
  const text = [KEY, merchant_id, reference_sale, payuValue(value), currency, state_pol].join('~')
  const sign = over.sign ?? payuSign(text, 'HMAC-SHA256', 'test123')
  return incoming({ body: new URLSearchParams({ sign, ...fields }).toString() })
}
const hear = async (over: Record<string, string>) =>
  (await payulatam(env, outside())?.notified(confirmation(over)))?.events

describe('payulatam', () => {
  it('is not there without its keys, or with an algorithm nobody knows', () => {
    expect(payulatam({ ...env, PAYU_API_KEY: '' }, outside())).toBeNull()
    expect(payulatam({ ...env, PAYU_SIGN_ALGO: 'none' }, outside())).toBeNull()
  })
  it.each<[PayuAlgorithm, string, string]>([
    ['MD5', '', '7ee7cf808ce6a39b17481c54f2c57acc'],
    ['SHA', '', 'fa890d3f94e12b5cdb62e8771453b99b78e7ccdc'],
    ['SHA256', '', 'af3899a22336b79db46006491d15813158826f944599bf3bf601e2327f898022'],
    ['HMAC-SHA256', KEY, 'eaf61598d5593b366086c9a00aa5746ccad1a6e9b209a1a242fce224202b2b36'],
    [
      'HMAC-SHA256',
      'secret123',
      '9b269405c01c725fcc5d1667a2e1166a810fd34b5a5ac82295d0f59fddf1c472',
    ],
  ])('signs the published form by %s', (algorithm, secret, signature) => {
    expect(payuSign(`${KEY}~508029~TestPayU~20000~COP`, algorithm, secret)).toBe(signature)
  })
  it.each([
    ['150.00', '65fb2b3452572784e23e7d6480359fd2507c54dd285ca3c4dceffb8764cfb66f'],
    ['150.25', '7770a7933b90570a078fcacce1790eb13079cdf8f8a6e900b79f4f5eb96b8024'],
  ])('signs the published confirmation of %s', (value, signature) => {
    const text = `${KEY}~508029~PayUTest01~${payuValue(value)}~USD~4`
    expect(payuSign(text, 'HMAC-SHA256', 'test123')).toBe(signature)
  })
  it('sends a signed form with the tax Colombia would add switched off', async () => {
    const opened = await payulatam(env, outside())?.checkout(anOrder({ currency: 'COP' }))
    const fields = Object.fromEntries(opened?.kind === 'form' ? opened.fields : [])
    expect(fields).toMatchObject({
      amount: '19.99',
      tax: '0',
      taxReturnBase: '0',
      test: '1',
      signature: payuSign(`${KEY}~508029~-Opay_ment-1~19.99~COP`, 'HMAC-SHA256', 'test123'),
    })
  })
  refusesForgeries({
    adapter: () => payulatam(env, outside()),
    good: confirmation,
    unsigned: () => confirmation({ sign: '' }),
    forged: () => confirmation({ sign: 'a'.repeat(64) }),
  })
  it('another merchant’s confirmation is not ours', async () => {
    await expect(hear({ merchant_id: '500238' })).rejects.toThrow('merchant')
  })
  it('translates its states; the unsigned transaction number counts for nothing', async () => {
    expect(await hear({})).toMatchObject([{ status: 'paid', minor: 15_000, currency: 'USD' }])
    expect(await hear({ state_pol: '6' })).toMatchObject([{ status: 'failed' }])
    expect(await hear({ state_pol: '5' })).toMatchObject([{ status: 'cancelled' }])
    expect(await hear({ state_pol: '99' })).toEqual([])
    expect(await hear({ transaction_id: 'T2' })).toEqual(await hear({}))
  })
  it('a test confirmation is nothing to a live account', async () => {
    const live = payulatam({ ...env, PAYU_ENV: 'live' }, outside())
    expect((await live?.notified(confirmation({ test: '1' })))?.events).toEqual([])
  })
})

describe('PayU’s queries and refunds', () => {
  const withLogin = { ...env, PAYU_API_LOGIN: 'pRRXKOl8ikMmt9u' }
  const asked = {
    payment: '-Opay_ment-1',
    minor: 5_460_000,
    currency: 'COP',
    ref: '-Opay_ment-1',
    refunded: 0,
    createdAt: 0,
  }
  /** The published answer, cut down to what is read. */
  const transaction = (over: { type?: string; state?: string; value?: number } = {}) => ({
    id: '76b724ee-f8e3-4228-84ca-d9e0a9d5d2b7',
    type: over.type ?? 'AUTHORIZATION_AND_CAPTURE',
    parentTransactionId: null,
    transactionResponse: { state: over.state ?? 'APPROVED', responseCode: 'APPROVED' },
    additionalValues: {
      TX_TAX: { value: 8717.65, currency: 'COP' },
      TX_VALUE: { value: over.value ?? 54600.0, currency: 'COP' },
    },
  })
  const orders = (...transactions: object[]) => ({
    code: 'SUCCESS',
    error: null,
    result: {
      payload: [{ id: 844427581, status: 'CAPTURED', referenceCode: '-Opay_ment-1', transactions }],
    },
  })
  const ask = (said: object) => {
    const world = outside(() => said)
    return { world, said: payulatam(withLogin, world)?.ask?.(asked) }
  }
  it('are not there without a login of their own', () => {
    const adapter = payulatam(env, outside())
    expect([adapter?.ask, adapter?.refund]).toEqual([undefined, undefined])
  })
  it('asks by our reference', async () => {
    const { world, said } = ask(orders(transaction()))
    expect(await said).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'payulatam',
      ref: '-Opay_ment-1',
      status: 'paid',
      minor: 5_460_000,
      currency: 'COP',
    })
    expect(world.asked[0]).toMatchObject({
      url: 'https://sandbox.api.payulatam.com/reports-api/4.0/service.cgi',
      json: {
        command: 'ORDER_DETAIL_BY_REFERENCE_CODE',
        merchant: { apiLogin: 'pRRXKOl8ikMmt9u', apiKey: KEY },
        details: { referenceCode: '-Opay_ment-1' },
        test: true,
      },
    })
  })
  it('an approved try counts among declined ones; none is nothing', async () => {
    const declined = transaction({ state: 'DECLINED' })
    expect(await ask(orders(declined, transaction(), declined)).said).toMatchObject({
      status: 'paid',
    })
    expect(await ask(orders(declined)).said).toMatchObject({ status: 'failed' })
    expect(await ask(orders(transaction({ state: 'PENDING' }))).said).toMatchObject({
      status: 'pending',
    })
    expect(await ask({ code: 'SUCCESS', error: null, result: null }).said).toBeNull()
    await expect(ask({ code: 'ERROR', error: 'Invalid credentials' }).said).rejects.toThrow('query')
  })
  const refund = (minor: number, known: object, state = 'PENDING', refunded = 0) => {
    const world = outside(({ url }) =>
      url.includes('reports-api')
        ? known
        : { code: 'SUCCESS', transactionResponse: { orderId: 844427581, state } },
    )
    return {
      world,
      done: payulatam(withLogin, world)?.refund?.({ ...asked, refunded }, minor, 'k'),
    }
  }
  it('refunds the whole or a part of the approved transaction', async () => {
    const whole = refund(5_460_000, orders(transaction()))
    expect(await whole.done).toMatchObject({ status: 'refunded', minor: 5_460_000 })
    expect(whole.world.asked[1]?.json).toMatchObject({
      command: 'SUBMIT_TRANSACTION',
      transaction: {
        type: 'REFUND',
        order: { id: '844427581' },
        parentTransactionId: '76b724ee-f8e3-4228-84ca-d9e0a9d5d2b7',
      },
    })
    const part = refund(95_000, orders(transaction()))
    expect(await part.done).toMatchObject({ minor: 95_000, cumulative: true })
    expect(part.world.asked[1]?.json).toMatchObject({
      transaction: {
        type: 'PARTIAL_REFUND',
        additionalValues: { TX_VALUE: { value: '950.00', currency: 'COP' } },
      },
    })
  })
  it('sends nothing twice when the first answer was lost, and believes no refusal', async () => {
    const gone = transaction({ type: 'PARTIAL_REFUND', value: 950 })
    const again = refund(95_000, orders(transaction(), gone))
    expect(await again.done).toMatchObject({ minor: 95_000 })
    expect(again.world.asked).toHaveLength(1)
    await expect(refund(1, orders(transaction()), 'DECLINED').done).rejects.toThrow('nothing')
    await expect(refund(1, orders()).done).rejects.toThrow('no approved payment')
  })
})
