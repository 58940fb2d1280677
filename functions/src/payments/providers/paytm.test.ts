import { describe, expect, it } from 'vitest'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside } from '../testing'
import { paytm, paytmChecksum, paytmText, rawMember } from './paytm'

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
const said = {
  resultInfo: { resultStatus: 'TXN_SUCCESS' },
  orderId: '-Opay_ment-1',
  txnId: 'T1',
  txnAmount: '19.99',
}
const status = () => outside(() => ({ head: {}, body: said }))
const posted = () => {
  const form: [string, string][] = [
    ['ORDERID', '-Opay_ment-1'],
    ['STATUS', 'TXN_SUCCESS'],
    ['TXNAMOUNT', '19.99'],
  ]
  const CHECKSUMHASH = paytmChecksum(paytmText(form), key, 'abcd')
  return incoming({
    body: new URLSearchParams([...form, ['CHECKSUMHASH', CHECKSUMHASH]]).toString(),
  })
}
const posing = (CHECKSUMHASH: string) =>
  incoming({
    body: new URLSearchParams({ ORDERID: '-Opay_ment-1', CHECKSUMHASH }).toString(),
  })

describe('paytm', () => {
  it('is not there without a key of its length', () => {
    expect(paytm({ ...env, PAYTM_MERCHANT_KEY: '' }, outside())).toBeNull()
    expect(paytm({ ...env, PAYTM_MERCHANT_KEY: 'short' }, outside())).toBeNull()
    expect(paytm(env, outside())?.supports('USD')).toBe(false)
  })
  it('makes the published checksums', () => {
    expect(paytmChecksum(paytmText(published), key, '1wQ5')).toBe(
      'M9E4OLugj4L3TLLiof2BSO03hhQQLMucnVgtYuHi4wIVLB20dCXS632PRw0dTmnAa58R0kEuh9+V3bfQs4F/SrlmsmV+hvhb3Nui1zlnh/o=',
    )
  })
  it('takes the published message with one field more', async () => {
    const more = [...published, ['TXNDATETIME', '2018-12-04 22:08:45.0']] as [string, string][]
    const CHECKSUMHASH =
      '2TbZn8eQ5JP37cbnJGehTLMlkYhqZLxEUh3drQPn8SX3W44Ou3noDpY7CN0wBe1PIxopTzBvQRAsCtmIPzZtikp0dPj7DleHRG3olIiAvKA='
    const body = new URLSearchParams([...more, ['CHECKSUMHASH', CHECKSUMHASH]]).toString()
    const world = outside(() => ({ body: { ...said, orderId: '100PT012' } }))
    const heard = await paytm(env, world)?.notified(incoming({ body }))
    expect(heard?.events).toMatchObject([{ payment: '100PT012', status: 'paid', minor: 1999 }])
  })
  it('asks for a token, then sends a form', async () => {
    const world = outside(() => ({ body: { txnToken: 'tok' } }))
    const opened = await paytm(env, world)?.checkout(anOrder({ currency: 'INR' }))
    expect(opened).toMatchObject({ kind: 'form' })
    const { json } = world.asked[0] ?? {}
    expect(json).toMatchObject({
      body: { orderId: '-Opay_ment-1', txnAmount: { value: '19.99', currency: 'INR' } },
    })
    const { signature } = (json as { head: { signature: string } }).head
    const raw = rawMember(world.asked[0]?.body ?? '', 'body')
    expect(signature).toBe(paytmChecksum(raw, key, 'toke'))
    const refused = paytm(
      env,
      outside(() => ({ body: { resultInfo: {} } })),
    )
    await expect(refused?.checkout(anOrder({ currency: 'INR' }))).rejects.toThrow('token')
  })
  refusesForgeries({
    adapter: () => paytm(env, status()),
    good: posted,
    unsigned: () => posing(''),
    forged: () => posing(paytmChecksum('-Opay_ment-1', 'another_key_1234', 'abcd')),
  })
  it('takes the JSON form, signed over its bytes', async () => {
    const raw = '{ "orderId" : "-Opay_ment-1", "note": "a } brace and \\" a quote" }'
    const signature = paytmChecksum(raw, key, 'abcd')
    const body = `{"head":{"signature":${JSON.stringify(signature)}},"body":${raw}}`
    const headers = { 'content-type': 'application/json' }
    const adapter = paytm(env, status())
    expect((await adapter?.notified(incoming({ body, headers })))?.events).toHaveLength(1)
    const spoiled = body.replace('"a }', '"b }')
    await expect(adapter?.notified(incoming({ body: spoiled, headers }))).rejects.toThrow('Paytm')
  })
  it('knows nothing of an attempt nobody made, nor of another’s answer', async () => {
    const asked = { payment: '-Opay_ment-1', minor: 1, currency: 'INR', refunded: 0, createdAt: 0 }
    const answers = [
      { ...said, txnId: undefined },
      { ...said, orderId: 'other' },
    ]
    for (const body of answers)
      expect(
        await paytm(
          env,
          outside(() => ({ body })),
        )?.ask?.(asked),
      ).toBeNull()
  })
})
