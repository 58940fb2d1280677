import { describe, expect, it } from 'vitest'
import { Forged } from '../adapter'
import { refusesForgeries } from '../hostile'
import { hashOf } from '../signing'
import { anOrder, incoming, outside } from '../testing'
import {
  payfast,
  payfastApiSign,
  payfastRows,
  payfastSign,
  payfastText,
  phpEncoded,
} from './payfast'

const env = {
  PAYFAST_MERCHANT_ID: '10004241',
  PAYFAST_MERCHANT_KEY: '132ncgdwrh2by',
  PAYFAST_PASSPHRASE: 'salt',
}
type Field = readonly [string, string]
const BLANK: Field[] = [1, 2, 3, 4, 5]
  .map((n): Field => [`custom_str${n}`, ''])
  .concat([1, 2, 3, 4, 5].map((n): Field => [`custom_int${n}`, '']))
const sent = (fields: readonly Field[]) =>
  fields.map(([name, value]) => `${name}=${phpEncoded(value)}`).join('&')
const payer = (first: string, last: string, email: string, merchant: string): Field[] => [
  ['name_first', first],
  ['name_last', last],
  ['email_address', email],
  ['merchant_id', merchant],
]
const itn = (
  id: string,
  payment: string,
  name: string,
  text: string,
  amounts: string[],
): Field[] => [
  ['m_payment_id', payment],
  ['pf_payment_id', id],
  ['payment_status', 'COMPLETE'],
  ['item_name', name],
  ['item_description', text],
  ['amount_gross', amounts[0] ?? ''],
  ['amount_fee', amounts[1] ?? ''],
  ['amount_net', amounts[2] ?? ''],
  ...BLANK,
]
const valid = () => outside(() => 'VALID')
const fields = [
  ...itn('1', '-Opay_ment-1', 'Top-up', '', ['19.99', '-1.00', '18.99']),
  ...payer('Ana', 'Lima', 'ana@kerbside.example', '10004241'),
]
const good = (signature = payfastSign(sent(fields), 'salt'), more = sent(fields)) =>
  incoming({ body: `${more}&signature=${signature}` })

describe('payfast', () => {
  it('is not there without its passphrase: its signature would bind nothing', () => {
    expect(payfast({ ...env, PAYFAST_PASSPHRASE: '' }, outside())).toBeNull()
    expect(payfast(env, outside())?.supports('USD')).toBe(false)
  })
  it('makes the published signatures', () => {
    const sandbox = 'merchant_id=10000100&merchant_key=46f0cd694581a&m_payment_id=123&amount=500'
    expect(payfastSign(sandbox, '')).toBe('45aa67464a46c9cf837257365866b247')
    const request: Field[] = [
      ['merchant_id', '10004241'],
      ['merchant_key', '132ncgdwrh2by'],
      ['return_url', 'https://5ca4377c.ngrok.io/home/return'],
      ['cancel_url', 'https://5ca4377c.ngrok.io/home/cancel'],
      ['notify_url', 'https://5ca4377c.ngrok.io/home/notify'],
      ['name_first', ''],
      ['email_address', 'sbtu01@payfast.co.za'],
      ['m_payment_id', '8d00bf49-e979-4004-228c-08d452b86380'],
      ['amount', '30'],
      ['item_name', 'Once off option'],
      ['item_description', 'Some details about the once off payment'],
      ['email_confirmation', '1'],
      ['confirmation_address', 'sbtu01@payfast.co.za'],
    ]
    expect(payfastSign(payfastText(request), '')).toBe('66d25171083fa3e36ff3ebaa3c7f0713')
    const first = [
      ...itn('46591', '', 'Name', '', ['123.00', '-2.80', '120.20']),
      ...payer('Test', 'User 01', 'sbtu01@payfast.co.za', '10000100'),
    ]
    expect(payfastSign(sent(first), '')).toBe('bae21e96d4dc7bf36bd1a6bb1a103f5f')
    const second = [
      ...itn('1579137', '000000020', 'Order #000000020', '', ['15.00', '-2.30', '12.70']),
      ...payer('Tom', 'Tom', 'lindley+user1@appinlet.com', '10027938'),
    ]
    expect(payfastSign(sent(second), '')).toBe('4078bca2c8987e0e0c4e7230f2f46323')
    const order = '8d00bf49-e979-4004-228c-08d452b86380'
    const once = 'Some details about the once off payment'
    const third = [
      ...itn('1847945', order, 'Once off option', once, ['30.00', '-2.30', '27.70']),
      ...payer('', '', 'sbtu01@payfast.co.za', '10004241'),
    ]
    expect(payfastSign(sent(third), '')).toBe('94ea076d95918eb0661f37ecbf206552')
    const again = 'Some details about the recurring option'
    const fourth: Field[] = [
      ...itn('1847925', order, 'Recurring Option', again, ['20.00', '-2.30', '17.70']),
      ...payer('', '', 'sbtu01@payfast.co.za', '10004241'),
      ['token', '5a538bc0-ce28-47d4-98bd-9ee7bc11ad56'],
      ['billing_date', '2023-09-16'],
    ]
    expect(payfastSign(sent(fourth), 'salt')).toBe('bf1986d6bed6b382e0f88f32a92fee03')
  })
  it('sends its fields in Payfast’s order, signed', async () => {
    const opened = await payfast(env, outside())?.checkout(anOrder({ currency: 'ZAR' }))
    const form = opened?.kind === 'form' ? opened.fields : []
    expect(form.map(([name]) => name)).toEqual([
      'merchant_id',
      'merchant_key',
      'return_url',
      'cancel_url',
      'notify_url',
      'name_first',
      'name_last',
      'email_address',
      'm_payment_id',
      'amount',
      'item_name',
      'signature',
    ])
    expect(form.at(-1)?.[1]).toBe(payfastSign(payfastText(form.slice(0, -1)), 'salt'))
  })
  refusesForgeries({
    adapter: () => payfast(env, valid()),
    good,
    unsigned: () => incoming({ body: sent(fields) }),
    forged: () => good('a'.repeat(32)),
  })
  it('asks Payfast about the very same bytes', async () => {
    const world = valid()
    await payfast(env, world)?.notified(good())
    expect(world.asked[0]?.body).toBe(sent(fields))
    const unknown = payfast(
      env,
      outside(() => 'INVALID'),
    )
    await expect(unknown?.notified(good())).rejects.toThrow(Forged)
    const silent = payfast(
      env,
      outside(() => ''),
    )
    await expect(silent?.notified(good())).rejects.toThrow('did not say')
  })
  it('takes the gross amount, never the net', async () => {
    expect((await payfast(env, valid())?.notified(good()))?.events).toMatchObject([
      { payment: '-Opay_ment-1', ref: '1', status: 'paid', minor: 1999, currency: 'ZAR' },
    ])
  })
  it('another merchant’s message is not ours', async () => {
    const theirs = payfast({ ...env, PAYFAST_MERCHANT_ID: '1' }, valid())
    await expect(theirs?.notified(good())).rejects.toThrow('merchant')
  })
})

/** The published answer of the history, with a payment of ours added. */
const HISTORY = `"Date","Type","Sign","Party","Name","Description","Currency","Funding Type","Gross","Fee","Net","Balance","M Payment ID","PF Payment ID","custom str1","custom int1","custom str2","custom int2","custom str3","custom str4","custom str5","custom int3","custom int4","custom int5"
"2020-02-27 13:29:55",FUNDS_RECEIVED,CREDIT,"Test User 01",test,,ZAR,CC,500.00,-24.73,475.27,"22,574.02",,994209,,,,,,,,,, 
"2020-03-02 14:31:30",FUNDS_RECEIVED,CREDIT,"Test User 01","item name",,ZAR,CC,121.00,-7.73,113.27,"22,780.50",pay_now_11611660,995893,,,,,,,,,, 
"2026-11-20 15:03:20",FUNDS_RECEIVED,CREDIT,"Lima, ""Ana""","Kerbside: top-up",,ZAR,CC,"2,019.99",-4.54,45.46,"22,825.96",-Opay_ment-1,1019891,,,,,,,,,,
"2026-11-20 15:09:20",FUNDS_RECEIVED_REVERSAL,DEBIT,"Ana Lima","Kerbside: top-up",,ZAR,CC,-19.99,0.00,-19.99,"22,805.97",-Opay_ment-2,1019892,,,,,,,,,,
`
describe('payfast’s API', () => {
  const asked = {
    payment: '-Opay_ment-1',
    minor: 201_999,
    currency: 'ZAR',
    ref: '1019891',
    refunded: 0,
    createdAt: Date.UTC(2026, 10, 20, 14, 50),
  }
  const ask = (said: unknown, keys: object = {}, more: object = {}) => {
    const world = outside(() => said)
    return { world, said: payfast({ ...env, ...keys }, world)?.ask?.({ ...asked, ...more }) }
  }
  it('is signed over every header and value by name, the passphrase among them', () => {
    const text =
      'amount=5000&merchant-id=10004241&passphrase=a+b&reason=x%2Fy&timestamp=2026-11-20T15%3A00%3A00%2B00%3A00&version=v1'
    const fields = {
      version: 'v1',
      timestamp: '2026-11-20T15:00:00+00:00',
      'merchant-id': '10004241',
      reason: 'x/y',
      amount: '5000',
    }
    expect(payfastApiSign(fields, 'a b')).toBe(hashOf('md5', text))
  })
  it('reads the published history, quotes and commas included', () => {
    const rows = payfastRows(HISTORY)
    expect(rows[1]).toMatchObject({ 'M Payment ID': 'pay_now_11611660', Balance: '22,780.50' })
    expect(rows[2]).toMatchObject({ Party: 'Lima, "Ana"', Gross: '2,019.99' })
    expect(() => payfastRows('{"code":401}')).toThrow('history')
  })
  it('finds a silent payment in the history of its days', async () => {
    const { world, said } = ask(HISTORY)
    expect(await said).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'payfast',
      ref: '1019891',
      status: 'paid',
      minor: 201_999,
      currency: 'ZAR',
    })
    const [{ url, headers } = { url: '', headers: {} as Record<string, string> }] = world.asked
    expect(url).toBe(
      'https://api.payfast.co.za/transactions/history?from=2026-11-19&to=2026-11-21&testing=true',
    )
    const { version = '', timestamp = '', signature } = headers
    const signed = { 'merchant-id': '10004241', version, timestamp }
    const span = { from: '2026-11-19', to: '2026-11-21' }
    expect(signature).toBe(payfastApiSign({ ...signed, ...span }, 'salt'))
    expect(timestamp).toBe('2026-11-20T15:00:00+00:00')
  })
  it('takes the history in an envelope too, and leaves the sandbox’s mark out when live', async () => {
    const { world, said } = ask({ response: HISTORY }, { PAYFAST_ENV: 'live' })
    expect(await said).toMatchObject({ ref: '1019891' })
    expect(world.asked[0]?.url).not.toContain('testing')
  })
  it('knows nothing of what is not there, and money out is no money in', async () => {
    expect(await ask(HISTORY, {}, { payment: 'other' }).said).toBeNull()
    expect(await ask(HISTORY, {}, { payment: '-Opay_ment-2' }).said).toBeNull()
    await expect(ask({ code: 401, status: 'failed' }).said).rejects.toThrow('history')
  })

  const refund = (query: object, created: object = {}, refunded = 0) => {
    const world = outside(({ url }) => (url.includes('/query/') ? query : created))
    const adapter = payfast({ ...env, PAYFAST_ENV: 'live' }, world)
    return { world, done: adapter?.refund?.({ ...asked, refunded }, 5000, 'key') }
  }
  const can = {
    amount_original: 201_999,
    amount_available_for_refund: 201_999,
    status: 'REFUNDABLE',
    refund_partial: { method: 'PAYMENT_SOURCE' },
  }
  const taken = { code: 200, status: 'success', data: { response: true, message: 'Success' } }
  it('sends a part back to where it came from', async () => {
    const { world, done } = refund(can, taken)
    expect(await done).toMatchObject({ status: 'refunded', minor: 5000, cumulative: true })
    expect(world.asked.map(({ method, url }) => [method, url])).toEqual([
      ['GET', 'https://api.payfast.co.za/refunds/query/1019891'],
      ['POST', 'https://api.payfast.co.za/refunds/1019891'],
    ])
    expect(world.asked[1]?.json).toMatchObject({ amount: '5000', notify_buyer: '1' })
  })
  it('sends nothing twice when the first answer was lost', async () => {
    const gone = { data: { response: { ...can, amount_available_for_refund: 196_999 } } }
    const { world, done } = refund(gone)
    expect(await done).toMatchObject({ minor: 5000, cumulative: true })
    expect(world.asked).toHaveLength(1)
  })
  it('does not guess a bank account, and believes no failure', async () => {
    const bank = { ...can, refund_partial: { method: 'BANK_PAYOUT' } }
    await expect(refund(bank).done).rejects.toThrow('bank account')
    await expect(refund(can, { code: 400, status: 'failed' }).done).rejects.toThrow('nothing')
    await expect(refund({}).done).rejects.toThrow('what can be refunded')
  })
})
