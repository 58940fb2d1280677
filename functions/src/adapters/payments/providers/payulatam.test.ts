import { describe, expect, it } from 'vitest'
import { testWebhookSecurity } from '../../../testing/webhookSecurity'
import { aCheckoutOrder, aWebhookRequest, createFakeDeps } from '../../../testing/fakeProvider'
import { payulatam, signPayu, formatSignedAmount, type PayuAlgorithm } from './payulatam'

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
  const text = [
    KEY,
    merchant_id,
    reference_sale,
    formatSignedAmount(value),
    currency,
    state_pol,
  ].join('~')
  const sign = over.sign ?? signPayu(text, 'HMAC-SHA256', 'test123')
  return aWebhookRequest({ body: new URLSearchParams({ sign, ...fields }).toString() })
}
const receive = async (over: Record<string, string>) =>
  (await payulatam(env, createFakeDeps())?.parseWebhook(confirmation(over)))?.events

describe('payulatam', () => {
  it('requires its keys and a known algorithm', () => {
    expect(payulatam({ ...env, PAYU_API_KEY: '' }, createFakeDeps())).toBeNull()
    expect(payulatam({ ...env, PAYU_SIGN_ALGO: 'none' }, createFakeDeps())).toBeNull()
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
  ])('signs the published form with %s', (algorithm, secret, signature) => {
    expect(signPayu(`${KEY}~508029~TestPayU~20000~COP`, algorithm, secret)).toBe(signature)
  })
  it.each([
    ['150.00', '65fb2b3452572784e23e7d6480359fd2507c54dd285ca3c4dceffb8764cfb66f'],
    ['150.25', '7770a7933b90570a078fcacce1790eb13079cdf8f8a6e900b79f4f5eb96b8024'],
  ])('signs the published confirmation of %s', (value, signature) => {
    const text = `${KEY}~508029~PayUTest01~${formatSignedAmount(value)}~USD~4`
    expect(signPayu(text, 'HMAC-SHA256', 'test123')).toBe(signature)
  })
  it('sends a signed form with Colombia’s automatic tax disabled', async () => {
    const opened = await payulatam(env, createFakeDeps())?.checkout(
      aCheckoutOrder({ currency: 'COP' }),
    )
    const fields = Object.fromEntries(opened?.kind === 'form' ? opened.fields : [])
    expect(fields).toMatchObject({
      amount: '19.99',
      tax: '0',
      taxReturnBase: '0',
      test: '1',
      signature: signPayu(`${KEY}~508029~-Opay_ment-1~19.99~COP`, 'HMAC-SHA256', 'test123'),
    })
  })
  testWebhookSecurity({
    adapter: () => payulatam(env, createFakeDeps()),
    createValid: confirmation,
    removeSignature: () => confirmation({ sign: '' }),
    forgeSignature: () => confirmation({ sign: 'a'.repeat(64) }),
  })
  it('ignores another merchant’s confirmation', async () => {
    await expect(receive({ merchant_id: '500238' })).rejects.toThrow('merchant')
  })
  it('maps its statuses and ignores the unsigned transaction number', async () => {
    expect(await receive({})).toMatchObject([{ status: 'paid', minor: 15_000, currency: 'USD' }])
    expect(await receive({ state_pol: '6' })).toMatchObject([{ status: 'failed' }])
    expect(await receive({ state_pol: '5' })).toMatchObject([{ status: 'cancelled' }])
    expect(await receive({ state_pol: '99' })).toEqual([])
    expect(await receive({ transaction_id: 'T2' })).toEqual(await receive({}))
  })
  it('ignores a test confirmation on a live account', async () => {
    const live = { ...env, PAYU_ENV: 'live', PAYU_API_LOGIN: 'login' }
    const deps = createFakeDeps()
    const received = await payulatam(live, deps)?.parseWebhook(confirmation({ test: '1' }))
    expect([received?.events, deps.requests]).toEqual([[], []])
  })
  it('requires an API login for live payments', () => {
    expect(payulatam({ ...env, PAYU_ENV: 'live' }, createFakeDeps())).toBeNull()
    expect(payulatam(env, createFakeDeps())).not.toBeNull()
  })
})

describe('PayU’s queries and refunds', () => {
  describe('of a live confirmation', () => {
    const live = { ...env, PAYU_ENV: 'live', PAYU_API_LOGIN: 'login' }
    const listed = (state: string) => ({
      code: 'SUCCESS',
      result: {
        payload: [
          {
            id: 1,
            transactions: [
              {
                id: 't',
                type: 'AUTHORIZATION_AND_CAPTURE',
                transactionResponse: { state },
                additionalValues: { TX_VALUE: { value: 150, currency: 'USD' } },
              },
            ],
          },
        ],
      },
    })
    const hearLive = async (response: object) =>
      (
        await payulatam(
          live,
          createFakeDeps(() => response),
        )?.parseWebhook(confirmation())
      )?.events
    it('trust the query, whatever the message says', async () => {
      expect(await hearLive(listed('APPROVED'))).toMatchObject([{ status: 'paid', minor: 15_000 }])
      expect(await hearLive(listed('DECLINED'))).toMatchObject([{ status: 'failed' }])
    })
    it('refuse a payment that PayU does not list, and request redelivery', async () => {
      await expect(hearLive({ code: 'SUCCESS', result: null })).rejects.toThrow('no such payment')
    })
  })
  const withLogin = { ...env, PAYU_API_LOGIN: 'pRRXKOl8ikMmt9u' }
  const paymentRef = {
    payment: '-Opay_ment-1',
    minor: 5_460_000,
    currency: 'COP',
    ref: '-Opay_ment-1',
    refunded: 0,
    createdAt: 0,
  }
  /** The published response, reduced to the fields that we read. */
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
  const ask = (response: object) => {
    const deps = createFakeDeps(() => response)
    return { deps, response: payulatam(withLogin, deps)?.fetchStatus?.(paymentRef) }
  }
  it('require a separate login', () => {
    const adapter = payulatam(env, createFakeDeps())
    expect([adapter?.fetchStatus, adapter?.refund]).toEqual([undefined, undefined])
  })
  it('query by our reference', async () => {
    const { deps, response } = ask(orders(transaction()))
    expect(await response).toEqual({
      payment: '-Opay_ment-1',
      gateway: 'payulatam',
      ref: '-Opay_ment-1',
      status: 'paid',
      minor: 5_460_000,
      currency: 'COP',
    })
    expect(deps.requests[0]).toMatchObject({
      url: 'https://sandbox.api.payulatam.com/reports-api/4.0/service.cgi',
      json: {
        command: 'ORDER_DETAIL_BY_REFERENCE_CODE',
        merchant: { apiLogin: 'pRRXKOl8ikMmt9u', apiKey: KEY },
        details: { referenceCode: '-Opay_ment-1' },
        test: true,
      },
    })
  })
  it('count an approved attempt among declined ones, and return nothing without attempts', async () => {
    const declined = transaction({ state: 'DECLINED' })
    expect(await ask(orders(declined, transaction(), declined)).response).toMatchObject({
      status: 'paid',
    })
    expect(await ask(orders(declined)).response).toMatchObject({ status: 'failed' })
    expect(await ask(orders(transaction({ state: 'PENDING' }))).response).toMatchObject({
      status: 'pending',
    })
    expect(await ask({ code: 'SUCCESS', error: null, result: null }).response).toBeNull()
    await expect(ask({ code: 'ERROR', error: 'Invalid credentials' }).response).rejects.toThrow(
      'query',
    )
  })
  const refund = (minor: number, known: object, state = 'PENDING', refunded = 0) => {
    const deps = createFakeDeps(({ url }) =>
      url.includes('reports-api')
        ? known
        : { code: 'SUCCESS', transactionResponse: { orderId: 844427581, state } },
    )
    return {
      deps,
      done: payulatam(withLogin, deps)?.refund?.({ ...paymentRef, refunded }, minor, 'k'),
    }
  }
  it('refund all or part of the approved transaction', async () => {
    const whole = refund(5_460_000, orders(transaction()))
    expect(await whole.done).toBe('pending')
    expect(whole.deps.requests[2]?.json).toMatchObject({
      command: 'SUBMIT_TRANSACTION',
      transaction: {
        type: 'REFUND',
        order: { id: '844427581' },
        parentTransactionId: '76b724ee-f8e3-4228-84ca-d9e0a9d5d2b7',
      },
    })
    const part = refund(95_000, orders(transaction()), 'APPROVED')
    expect(await part.done).toMatchObject({ minor: 95_000, isCumulative: true })
    expect(part.deps.requests[2]?.json).toMatchObject({
      transaction: {
        type: 'PARTIAL_REFUND',
        additionalValues: { TX_VALUE: { value: '950.00', currency: 'COP' } },
      },
    })
  })
  it('send a refund only once when the first response was lost, and do not trust a refusal', async () => {
    const gone = transaction({ type: 'PARTIAL_REFUND', value: 950 })
    const again = refund(95_000, orders(transaction(), gone))
    expect(await again.done).toMatchObject({ minor: 95_000 })
    expect(again.deps.requests).toHaveLength(1)
    await expect(refund(1, orders(transaction()), 'DECLINED').done).rejects.toThrow('nothing')
    await expect(refund(1, orders()).done).rejects.toThrow('no approved payment')
  })
})
