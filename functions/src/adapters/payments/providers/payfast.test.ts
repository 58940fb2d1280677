import { describe, expect, it } from 'vitest'
import { InvalidSignatureError } from '../../../ports/paymentAdapter'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { computeHash } from '../signatures'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import {
  payfast,
  signPayfastApi,
  parsePayfastHistory,
  signPayfastForm,
  encodePayfastFields,
  encodeLikePhp,
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
  fields.map(([name, value]) => `${name}=${encodeLikePhp(value)}`).join('&')
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
const valid = () => createFakeDeps(() => 'VALID')
const fields = [
  ...itn('1', '-Opay_ment-1', 'Top-up', '', ['19.99', '-1.00', '18.99']),
  ...payer('Ana', 'Lima', 'ana@kerbside.example', '10004241'),
]
const good = (signature = signPayfastForm(sent(fields), 'salt'), more = sent(fields)) =>
  aWebhookRequest({ body: `${more}&signature=${signature}` })

describe('payfast', () => {
  it('requires its passphrase, because the signature would be worthless without one', () => {
    expect(payfast({ ...env, PAYFAST_PASSPHRASE: '' }, createFakeDeps())).toBeNull()
    expect(payfast(env, createFakeDeps())?.isCurrencySupported('USD')).toBe(false)
  })
  it('computes the published signatures', () => {
    const sandbox = 'merchant_id=10000100&merchant_key=46f0cd694581a&m_payment_id=123&amount=500'
    expect(signPayfastForm(sandbox, '')).toBe('45aa67464a46c9cf837257365866b247')
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
    expect(signPayfastForm(encodePayfastFields(request), '')).toBe(
      '66d25171083fa3e36ff3ebaa3c7f0713',
    )
    const first = [
      ...itn('46591', '', 'Name', '', ['123.00', '-2.80', '120.20']),
      ...payer('Test', 'User 01', 'sbtu01@payfast.co.za', '10000100'),
    ]
    expect(signPayfastForm(sent(first), '')).toBe('bae21e96d4dc7bf36bd1a6bb1a103f5f')
    const second = [
      ...itn('1579137', '000000020', 'Order #000000020', '', ['15.00', '-2.30', '12.70']),
      ...payer('Tom', 'Tom', 'lindley+user1@appinlet.com', '10027938'),
    ]
    expect(signPayfastForm(sent(second), '')).toBe('4078bca2c8987e0e0c4e7230f2f46323')
    const order = '8d00bf49-e979-4004-228c-08d452b86380'
    const once = 'Some details about the once off payment'
    const third = [
      ...itn('1847945', order, 'Once off option', once, ['30.00', '-2.30', '27.70']),
      ...payer('', '', 'sbtu01@payfast.co.za', '10004241'),
    ]
    expect(signPayfastForm(sent(third), '')).toBe('94ea076d95918eb0661f37ecbf206552')
    const again = 'Some details about the recurring option'
    const fourth: Field[] = [
      ...itn('1847925', order, 'Recurring Option', again, ['20.00', '-2.30', '17.70']),
      ...payer('', '', 'sbtu01@payfast.co.za', '10004241'),
      ['token', '5a538bc0-ce28-47d4-98bd-9ee7bc11ad56'],
      ['billing_date', '2023-09-16'],
    ]
    expect(signPayfastForm(sent(fourth), 'salt')).toBe('bf1986d6bed6b382e0f88f32a92fee03')
  })
  it('sends its fields signed and in Payfast’s order', async () => {
    const opened = await payfast(env, createFakeDeps())?.checkout(
      aCheckoutOrder({ currency: 'ZAR' }),
    )
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
    expect(form.at(-1)?.[1]).toBe(signPayfastForm(encodePayfastFields(form.slice(0, -1)), 'salt'))
  })
  testWebhookSecurity({
    adapter: () => payfast(env, valid()),
    createValid: good,
    removeSignature: () => aWebhookRequest({ body: sent(fields) }),
    forgeSignature: () => good('a'.repeat(32)),
  })
  it('sends the identical bytes to Payfast for confirmation', async () => {
    const deps = valid()
    await payfast(env, deps)?.parseWebhook(good())
    expect(deps.requests[0]?.body).toBe(sent(fields))
    const unknown = payfast(
      env,
      createFakeDeps(() => 'INVALID'),
    )
    await expect(unknown?.parseWebhook(good())).rejects.toThrow(InvalidSignatureError)
    const silent = payfast(
      env,
      createFakeDeps(() => ''),
    )
    await expect(silent?.parseWebhook(good())).rejects.toThrow('did not confirm')
  })
  it('uses the gross amount, never the net amount', async () => {
    expect((await payfast(env, valid())?.parseWebhook(good()))?.events).toMatchObject([
      { payment: '-Opay_ment-1', ref: '1', status: 'paid', minor: 1999, currency: 'ZAR' },
    ])
  })
  it('ignores another merchant’s message', async () => {
    const theirs = payfast({ ...env, PAYFAST_MERCHANT_ID: '1' }, valid())
    await expect(theirs?.parseWebhook(good())).rejects.toThrow('merchant')
  })
})

/** The published response of the history API, with a payment of ours added. */
const HISTORY = `"Date","Type","Sign","Party","Name","Description","Currency","Funding Type","Gross","Fee","Net","Balance","M Payment ID","PF Payment ID","custom str1","custom int1","custom str2","custom int2","custom str3","custom str4","custom str5","custom int3","custom int4","custom int5"
"2020-02-27 13:29:55",FUNDS_RECEIVED,CREDIT,"Test User 01",test,,ZAR,CC,500.00,-24.73,475.27,"22,574.02",,994209,,,,,,,,,, 
"2020-03-02 14:31:30",FUNDS_RECEIVED,CREDIT,"Test User 01","item name",,ZAR,CC,121.00,-7.73,113.27,"22,780.50",pay_now_11611660,995893,,,,,,,,,, 
"2026-11-20 15:03:20",FUNDS_RECEIVED,CREDIT,"Lima, ""Ana""","Kerbside: top-up",,ZAR,CC,"2,019.99",-4.54,45.46,"22,825.96",-Opay_ment-1,1019891,,,,,,,,,,
"2026-11-20 15:09:20",FUNDS_RECEIVED_REVERSAL,DEBIT,"Ana Lima","Kerbside: top-up",,ZAR,CC,-19.99,0.00,-19.99,"22,805.97",-Opay_ment-2,1019892,,,,,,,,,,
`
describe('payfast’s API', () => {
  const paymentRef = {
    payment: '-Opay_ment-1',
    minor: 201_999,
    currency: 'ZAR',
    ref: '1019891',
    refunded: 0,
    createdAt: Date.UTC(2026, 10, 20, 14, 50),
  }
  const ask = (result: unknown, keys: object = {}, more: object = {}) => {
    const deps = createFakeDeps(() => result)
    return {
      deps,
      response: payfast({ ...env, ...keys }, deps)?.fetchStatus?.({ ...paymentRef, ...more }),
    }
  }
  it('signs every header and value by name, including the passphrase', () => {
    const text =
      'amount=5000&merchant-id=10004241&passphrase=a+b&reason=x%2Fy&timestamp=2026-11-20T15%3A00%3A00%2B00%3A00&version=v1'
    const fields = {
      version: 'v1',
      timestamp: '2026-11-20T15:00:00+00:00',
      'merchant-id': '10004241',
      reason: 'x/y',
      amount: '5000',
    }
    expect(signPayfastApi(fields, 'a b')).toBe(computeHash('md5', text))
  })
  it('reads the published history, including quotes and commas', () => {
    const rows = parsePayfastHistory(HISTORY)
    expect(rows[1]).toMatchObject({ 'M Payment ID': 'pay_now_11611660', Balance: '22,780.50' })
    expect(rows[2]).toMatchObject({ Party: 'Lima, "Ana"', Gross: '2,019.99' })
    expect(() => parsePayfastHistory('{"code":401}')).toThrow('history')
  })
  it('finds a payment without a message in the history for its dates', async () => {
    const { deps, response: result } = ask(HISTORY)
    expect(await result).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'payfast',
      ref: '1019891',
      status: 'paid',
      minor: 201_999,
      currency: 'ZAR',
    })
    const [{ url, headers } = { url: '', headers: {} as Record<string, string> }] = deps.requests
    expect(url).toBe(
      'https://api.payfast.co.za/transactions/history?from=2026-11-19&to=2026-11-21&testing=true',
    )
    const { version = '', timestamp = '', signature } = headers
    const signed = { 'merchant-id': '10004241', version, timestamp }
    const span = { from: '2026-11-19', to: '2026-11-21' }
    expect(signature).toBe(signPayfastApi({ ...signed, ...span }, 'salt'))
    expect(timestamp).toBe('2026-11-20T15:00:00+00:00')
  })
  it('also accepts a wrapped history, and omits the sandbox flag when live', async () => {
    const { deps, response: result } = ask({ response: HISTORY }, { PAYFAST_ENV: 'live' })
    expect(await result).toMatchObject({ ref: '1019891' })
    expect(deps.requests[0]?.url).not.toContain('testing')
  })
  it('returns nothing for unlisted payments and for outgoing money', async () => {
    expect(await ask(HISTORY, {}, { payment: 'other' }).response).toBeNull()
    expect(await ask(HISTORY, {}, { payment: '-Opay_ment-2' }).response).toBeNull()
    await expect(ask({ code: 401, status: 'failed' }).response).rejects.toThrow('history')
  })

  const refund = (query: object, created: object = {}, refunded = 0) => {
    const deps = createFakeDeps(({ url }) => (url.includes('/query/') ? query : created))
    const adapter = payfast({ ...env, PAYFAST_ENV: 'live' }, deps)
    return { deps, done: adapter?.refund?.({ ...paymentRef, refunded }, 5000, 'key') }
  }
  const can = {
    amount_original: 201_999,
    amount_available_for_refund: 201_999,
    status: 'REFUNDABLE',
    refund_partial: { method: 'PAYMENT_SOURCE' },
  }
  const taken = { code: 200, status: 'success', data: { response: true, message: 'Success' } }
  it('refunds part of a payment to its source', async () => {
    const { deps, done } = refund(can, taken)
    expect(await done).toMatchObject({ status: 'refunded', minor: 5000, isCumulative: true })
    expect(deps.requests.map(({ method, url }) => [method, url])).toEqual([
      ['GET', 'https://api.payfast.co.za/refunds/query/1019891'],
      ['GET', 'https://api.payfast.co.za/refunds/query/1019891'],
      ['POST', 'https://api.payfast.co.za/refunds/1019891'],
    ])
    expect(deps.requests[2]?.json).toMatchObject({ amount: '5000', notify_buyer: '1' })
  })
  it('sends the refund only once when the first response was lost', async () => {
    const gone = { data: { response: { ...can, amount_available_for_refund: 196_999 } } }
    const { deps, done } = refund(gone)
    expect(await done).toMatchObject({ minor: 5000, isCumulative: true })
    expect(deps.requests).toHaveLength(1)
  })
  it('does not guess a bank account or trust a failure', async () => {
    const bank = { ...can, refund_partial: { method: 'BANK_PAYOUT' } }
    await expect(refund(bank).done).rejects.toThrow('bank account')
    await expect(refund(can, { code: 400, status: 'failed' }).done).rejects.toThrow('nothing')
    await expect(refund({}).done).rejects.toThrow('what can be refunded')
  })
})
