import { describe, expect, it } from 'vitest'
import { Forged } from '../adapter'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside } from '../testing'
import { payfast, payfastSign, payfastText, phpEncoded } from './payfast'

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
