import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside } from '../testing'
import { fingerprint, securepay } from './securepay'

const env = { SECUREPAY_MERCHANT_ID: 'ABC0001', SECUREPAY_TXN_PASSWORD: 'abc123' }
const result = (over: Record<string, string> = {}) => {
  const fields = {
    refid: '-Opay_ment-1',
    amount: '1999',
    timestamp: '20261120150000',
    summarycode: '1',
    txnid: '5',
    ...over,
  }
  const { refid, amount, timestamp, summarycode } = fields
  const print = fingerprint(['ABC0001', 'abc123', refid, amount, timestamp, summarycode])
  return incoming({ body: new URLSearchParams({ fingerprint: print, ...fields }).toString() })
}

describe('securepay', () => {
  it('is not there without its password', () => {
    expect(securepay({ ...env, SECUREPAY_TXN_PASSWORD: '' }, outside())).toBeNull()
    expect(securepay({ ...env, SECUREPAY_FP_ALGO: 'md5' }, outside())).toBeNull()
    expect(securepay(env, outside())?.supports('NZD')).toBe(false)
  })
  it.each([
    [
      'ABC0001|abc123|Test Reference|100|20140520221931|1',
      'f56581336bd275c916f0c3d7490fb266505a5845',
    ],
    ['foo|bar|0||12.00|20130416123332', '652856e75b04c5916a41082e04c9390961497f65'],
    ['ABC0030|abc123|226|355.00|20130602112954|1', 'd9b40fc6f841f41ef3475220fe6316406a5256ce'],
    ['ABC0030|abc123|222|465.18|20130602102927|2', '0516a31bf96ad89c354266afb9bd4be43aaf853f'],
  ])('makes the published fingerprint of %s', (fields, print) => {
    expect(fingerprint(fields.split('|'))).toBe(print)
  })
  it('sends cents under the time in GMT', async () => {
    const opened = await securepay(env, outside())?.checkout(anOrder({ currency: 'AUD' }))
    const fields = Object.fromEntries(opened?.kind === 'form' ? opened.fields : [])
    expect(fields).toMatchObject({
      amount: '1999',
      fp_timestamp: '20261120150000',
      fingerprint: fingerprint([
        'ABC0001',
        'abc123',
        '0',
        '-Opay_ment-1',
        '1999',
        '20261120150000',
      ]),
    })
  })
  refusesForgeries({
    adapter: () => securepay(env, outside()),
    good: result,
    unsigned: () => result({ fingerprint: '' }),
    forged: () => result({ fingerprint: 'a'.repeat(40) }),
  })
  it('translates its codes; the unsigned transaction number counts for nothing', async () => {
    const hear = async (over: Record<string, string>) =>
      (await securepay(env, outside())?.notified(result(over)))?.events
    expect(await hear({})).toMatchObject([{ status: 'paid', minor: 1999, currency: 'AUD' }])
    expect(await hear({ summarycode: '2' })).toMatchObject([{ status: 'failed' }])
    expect(await hear({ txnid: '6' })).toEqual(await hear({}))
  })
})
