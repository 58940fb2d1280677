import { describe, expect, it } from 'vitest'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { paytm, computePaytmChecksum, buildSignedText, extractRawMember } from './paytm'

const key = 'kbzk1DSbJiV_O3p5'
const env = { PAYTM_MID: 'MID1', PAYTM_MERCHANT_KEY: key }
const published: [string, string][] = [
  ['MID', 'WorldP64425807474247'],
  ['ORDERID', '100PT012'],
  ['TXNAMOUNT', '10'],
  ['CURRENCY', 'INR'],
  ['TXNID', '494157'],
  ['BANKTXNID', '201512236592678'],
  ['STATUS', 'TXN_SUCCESS'],
  ['RESPCODE', '01'],
  ['RESPMSG', 'Txn Successful'],
  ['TXNDATE', '2015-12-23 16:06:22.0'],
  ['GATEWAYNAME', 'ICICI'],
  ['BANKNAME', 'ICICI'],
  ['PAYMENTMODE', 'CC'],
  ['MERC_UNQ_REF', '100PT012'],
]
const response = {
  resultInfo: { resultStatus: 'TXN_SUCCESS' },
  orderId: '-Opay_ment-1',
  txnId: 'T1',
  txnAmount: '19.99',
}
const status = () => createFakeDeps(() => ({ head: {}, body: response }))
const posted = () => {
  const form: [string, string][] = [
    ['ORDERID', '-Opay_ment-1'],
    ['STATUS', 'TXN_SUCCESS'],
    ['TXNAMOUNT', '19.99'],
  ]
  const CHECKSUMHASH = computePaytmChecksum(buildSignedText(form), key, 'abcd')
  return aWebhookRequest({
    body: new URLSearchParams([...form, ['CHECKSUMHASH', CHECKSUMHASH]]).toString(),
  })
}
const posing = (CHECKSUMHASH: string) =>
  aWebhookRequest({
    body: new URLSearchParams({ ORDERID: '-Opay_ment-1', CHECKSUMHASH }).toString(),
  })

describe('paytm', () => {
  it('requires a key of the correct length', () => {
    expect(paytm({ ...env, PAYTM_MERCHANT_KEY: '' }, createFakeDeps())).toBeNull()
    expect(paytm({ ...env, PAYTM_MERCHANT_KEY: 'short' }, createFakeDeps())).toBeNull()
    expect(paytm(env, createFakeDeps())?.isCurrencySupported('USD')).toBe(false)
  })
  it('computes the published checksums', () => {
    expect(computePaytmChecksum(buildSignedText(published), key, '1wQ5')).toBe(
      'M9E4OLugj4L3TLLiof2BSO03hhQQLMucnVgtYuHi4wIVLB20dCXS632PRw0dTmnAa58R0kEuh9+V3bfQs4F/SrlmsmV+hvhb3Nui1zlnh/o=',
    )
  })
  it('accepts the published message with an additional field', async () => {
    const more = [...published, ['TXNDATETIME', '2018-12-04 22:08:45.0']] as [string, string][]
    const CHECKSUMHASH =
      '2TbZn8eQ5JP37cbnJGehTLMlkYhqZLxEUh3drQPn8SX3W44Ou3noDpY7CN0wBe1PIxopTzBvQRAsCtmIPzZtikp0dPj7DleHRG3olIiAvKA='
    const body = new URLSearchParams([...more, ['CHECKSUMHASH', CHECKSUMHASH]]).toString()
    const deps = createFakeDeps(() => ({ body: { ...response, orderId: '100PT012' } }))
    const received = await paytm(env, deps)?.parseWebhook(aWebhookRequest({ body }))
    expect(received?.events).toMatchObject([{ payment: '100PT012', status: 'paid', minor: 1999 }])
  })
  it('requests a token, then sends a form', async () => {
    const deps = createFakeDeps(() => ({ body: { txnToken: 'tok' } }))
    const opened = await paytm(env, deps)?.checkout(aCheckoutOrder({ currency: 'INR' }))
    expect(opened).toMatchObject({ kind: 'form' })
    const { json } = deps.requests[0] ?? {}
    expect(json).toMatchObject({
      body: { orderId: '-Opay_ment-1', txnAmount: { value: '19.99', currency: 'INR' } },
    })
    const { signature } = (json as { head: { signature: string } }).head
    const raw = extractRawMember(deps.requests[0]?.body ?? '', 'body')
    expect(signature).toBe(computePaytmChecksum(raw, key, 'toke'))
    const refused = paytm(
      env,
      createFakeDeps(() => ({ body: { resultInfo: {} } })),
    )
    await expect(refused?.checkout(aCheckoutOrder({ currency: 'INR' }))).rejects.toThrow('token')
  })
  testWebhookSecurity({
    adapter: () => paytm(env, status()),
    createValid: posted,
    removeSignature: () => posing(''),
    forgeSignature: () => posing(computePaytmChecksum('-Opay_ment-1', 'another_key_1234', 'abcd')),
  })
  it('accepts the JSON form, signed over its bytes', async () => {
    const raw = '{ "orderId" : "-Opay_ment-1", "note": "a } brace and \\" a quote" }'
    const signature = computePaytmChecksum(raw, key, 'abcd')
    const body = `{"head":{"signature":${JSON.stringify(signature)}},"body":${raw}}`
    const headers = { 'content-type': 'application/json' }
    const adapter = paytm(env, status())
    expect((await adapter?.parseWebhook(aWebhookRequest({ body, headers })))?.events).toHaveLength(
      1,
    )
    const tampered = body.replace('"a }', '"b }')
    await expect(
      adapter?.parseWebhook(aWebhookRequest({ body: tampered, headers })),
    ).rejects.toThrow('Paytm')
  })
  it('returns nothing for an unknown attempt or for another attempt’s response', async () => {
    const paymentRef = {
      payment: '-Opay_ment-1',
      minor: 1,
      currency: 'INR',
      refunded: 0,
      createdAt: 0,
    }
    const answers = [
      { ...response, txnId: undefined },
      { ...response, orderId: 'other' },
    ]
    for (const body of answers)
      expect(
        await paytm(
          env,
          createFakeDeps(() => ({ body })),
        )?.fetchStatus?.(paymentRef),
      ).toBeNull()
  })
})
