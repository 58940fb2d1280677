import { describe, expect, it } from 'vitest'
import { ProviderRejectedError } from '../../../ports/paymentAdapter'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { computeFingerprint, securepay } from './securepay'

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
  const print = computeFingerprint(['ABC0001', 'abc123', refid, amount, timestamp, summarycode])
  return aWebhookRequest({
    body: new URLSearchParams({ fingerprint: print, ...fields }).toString(),
  })
}

describe('securepay', () => {
  it('requires its password', () => {
    expect(securepay({ ...env, SECUREPAY_TXN_PASSWORD: '' }, createFakeDeps())).toBeNull()
    expect(securepay({ ...env, SECUREPAY_FP_ALGO: 'md5' }, createFakeDeps())).toBeNull()
    expect(securepay(env, createFakeDeps())?.isCurrencySupported('NZD')).toBe(false)
  })
  it.each([
    [
      'ABC0001|abc123|Test Reference|100|20140520221931|1',
      'f56581336bd275c916f0c3d7490fb266505a5845',
    ],
    ['foo|bar|0||12.00|20130416123332', '652856e75b04c5916a41082e04c9390961497f65'],
    ['ABC0030|abc123|226|355.00|20130602112954|1', 'd9b40fc6f841f41ef3475220fe6316406a5256ce'],
    ['ABC0030|abc123|222|465.18|20130602102927|2', '0516a31bf96ad89c354266afb9bd4be43aaf853f'],
  ])('computes the published fingerprint of %s', (fields, print) => {
    expect(computeFingerprint(fields.split('|'))).toBe(print)
  })
  it('sends cents with a timestamp in GMT', async () => {
    const opened = await securepay(env, createFakeDeps())?.checkout(
      aCheckoutOrder({ currency: 'AUD' }),
    )
    const fields = Object.fromEntries(opened?.kind === 'form' ? opened.fields : [])
    expect(fields).toMatchObject({
      amount: '1999',
      fp_timestamp: '20261120150000',
      fingerprint: computeFingerprint([
        'ABC0001',
        'abc123',
        '0',
        '-Opay_ment-1',
        '1999',
        '20261120150000',
      ]),
    })
  })
  testWebhookSecurity({
    adapter: () => securepay(env, createFakeDeps()),
    createValid: result,
    removeSignature: () => result({ fingerprint: '' }),
    forgeSignature: () => result({ fingerprint: 'a'.repeat(40) }),
  })
  it('maps its codes and ignores the unsigned transaction number', async () => {
    const receive = async (over: Record<string, string>) =>
      (await securepay(env, createFakeDeps())?.parseWebhook(result(over)))?.events
    expect(await receive({})).toMatchObject([{ status: 'paid', minor: 1999, currency: 'AUD' }])
    expect(await receive({ summarycode: '2' })).toMatchObject([{ status: 'failed' }])
    const [plain] = (await receive({})) ?? []
    expect(await receive({ txnid: '6' })).toEqual([{ ...plain, refundReference: '6' }])
    expect(await receive({ txnid: '<x>' })).toEqual([{ ...plain, refundReference: undefined }])
  })
})

describe('securepay’s refunds', () => {
  /** The published response of the XML API, with this transaction's type and verdict. */
  const answer = (approved = 'Yes', statusCode = '000') =>
    `<?xml version="1.0" encoding="UTF-8"?><SecurePayMessage><MessageInfo><messageID>8af793f9af34bea0cf40f5fc011e0c</messageID><messageTimestamp>20041904161959849000+600</messageTimestamp><apiVersion>xml-4.2</apiVersion></MessageInfo><RequestType>Payment</RequestType><MerchantInfo><merchantID>ABC0001</merchantID></MerchantInfo><Status><statusCode>${statusCode}</statusCode><statusDescription>Normal</statusDescription></Status><Payment><TxnList count="1"><Txn ID="1"><txnType>4</txnType><txnSource>23</txnSource><amount>500</amount><currency>AUD</currency><purchaseOrderNo>-Opay_ment-1</purchaseOrderNo><approved>${approved}</approved><responseCode>00</responseCode><responseText>Approved</responseText><settlementDate>20040419</settlementDate><txnID>009730</txnID></Txn></TxnList></Payment></SecurePayMessage>`
  const paymentRef = {
    payment: '-Opay_ment-1',
    minor: 1999,
    currency: 'AUD',
    ref: '-Opay_ment-1',
    checkout_ref: '009729',
    refunded: 0,
    createdAt: 0,
  }
  const refund = (response: string, more: object = {}, keys: object = {}) => {
    const deps = createFakeDeps(() => response)
    const adapter = securepay({ ...env, ...keys }, deps)
    return { deps, done: adapter?.refund?.({ ...paymentRef, ...more }, 500, 'key-1') }
  }
  it('contain the bank’s transaction and our reference', async () => {
    const { deps, done } = refund(answer())
    expect(await done).toMatchObject({ status: 'refunded', minor: 500, refundId: '009730' })
    const [{ url, body } = { url: '', body: '' }] = deps.requests
    expect(url).toBe('https://test.api.securepay.com.au/xmlapi/payment')
    for (const part of [
      '<merchantID>ABC0001</merchantID><password>abc123</password>',
      '<messageTimestamp>20262011150000000000+000</messageTimestamp>',
      '<txnType>4</txnType><txnSource>23</txnSource><amount>500</amount><currency>AUD</currency>',
      '<purchaseOrderNo>-Opay_ment-1</purchaseOrderNo><txnID>009729</txnID>',
    ])
      expect(body).toContain(part)
  })
  it('escape XML characters in a password', async () => {
    const { deps, done } = refund(answer(), {}, { SECUREPAY_TXN_PASSWORD: 'a<b&c' })
    await done
    expect(deps.requests[0]?.body).toContain('<password>a&lt;b&amp;c</password>')
  })
  it.each([
    ['the bank refuses', answer('No')],
    ['the message is refused', answer('Yes', '504')],
  ])('have no effect when %s', async (_, response) => {
    await expect(refund(response).done).rejects.toThrow(ProviderRejectedError)
  })
  it.each([
    ['the response is truncated', answer().slice(0, 300)],
    ['the bank does not respond in time', answer('Yes', '512')],
  ])('have an unknown outcome when %s', async (_, response) => {
    await expect(refund(response).done).rejects.toThrow('did not confirm')
    await expect(refund(response).done).rejects.not.toThrow(ProviderRejectedError)
  })
  it('need the transaction number', async () => {
    await expect(refund(answer(), { checkout_ref: '' }).done).rejects.toThrow('number')
  })
})
