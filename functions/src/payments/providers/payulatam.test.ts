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
