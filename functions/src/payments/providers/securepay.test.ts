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
    const [plain] = (await hear({})) ?? []
    expect(await hear({ txnid: '6' })).toEqual([{ ...plain, handle: '6' }])
    expect(await hear({ txnid: '<x>' })).toEqual([{ ...plain, handle: undefined }])
  })
})

describe('securepay’s refunds', () => {
  /** The published answer of the XML API, with this transaction's type and verdict. */
  const answer = (approved = 'Yes', statusCode = '000') =>
    `<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo><messageID>8af793f9af34bea0cf40f5fc011e0c</messageID><messageTimestamp>20041904161959849000+600</messageTimestamp><apiVersion>xml-4.2</apiVersion></MessageInfo><RequestType>Payment</RequestType><MerchantInfo><merchantID>ABC0001</merchantID></MerchantInfo><Status><statusCode>${statusCode}</statusCode><statusDescription>Normal</statusDescription></Status><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType><txnSource>23</txnSource><amount>500</amount><currency>AUD</currency><purchaseOrderNo>-Opay_ment-1</purchaseOrderNo><approved>${approved}</approved><responseCode>00</responseCode><responseText>Approved</responseText><settlementDate>20040419</settlementDate><txnID>009730</txnID></Txn></TxnList></Payment></SecurePayMessage>`
  const asked = {
    payment: '-Opay_ment-1',
    minor: 1999,
    currency: 'AUD',
    ref: '-Opay_ment-1',
    checkout_ref: '009729',
    refunded: 0,
    createdAt: 0,
  }
  const refund = (said: string, more: object = {}, keys: object = {}) => {
    const world = outside(() => said)
    const adapter = securepay({ ...env, ...keys }, world)
    return { world, done: adapter?.refund?.({ ...asked, ...more }, 500, 'key-1') }
  }
  it('name the bank’s transaction and our reference', async () => {
    const { world, done } = refund(answer())
    expect(await done).toMatchObject({ status: 'refunded', minor: 500, refundId: '009730' })
    const [{ url, body } = { url: '', body: '' }] = world.asked
    expect(url).toBe('https://test.api.securepay.com.au/xmlapi/payment')
    for (const part of [
      '<merchantID>ABC0001</merchantID><password>abc123</password>',
      '<messageTimestamp>20262011150000000000+000</messageTimestamp>',
      '<txnType>4</txnType><txnSource>23</txnSource><amount>500</amount><currency>AUD</currency>',
      '<purchaseOrderNo>-Opay_ment-1</purchaseOrderNo><txnID>009729</txnID>',
    ])
      expect(body).toContain(part)
  })
  it('a password with a sign of XML stays a password', async () => {
    const { world, done } = refund(answer(), {}, { SECUREPAY_TXN_PASSWORD: 'a<b&c' })
    await done
    expect(world.asked[0]?.body).toContain('<password>a&lt;b&amp;c</password>')
  })
  it.each([
    ['the bank says no', answer('No')],
    ['the message was not taken', answer('Yes', '504')],
    ['the answer is cut', answer().slice(0, 300)],
  ])('come to nothing when %s', async (_, said) => {
    await expect(refund(said).done).rejects.toThrow('refunded nothing')
  })
  it('need the transaction’s number', async () => {
    await expect(refund(answer(), { checkout_ref: '' }).done).rejects.toThrow('number')
  })
})
