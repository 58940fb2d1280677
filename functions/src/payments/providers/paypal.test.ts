import { describe, expect, it } from 'vitest'
import { TEST_NOW } from '../../testing'
import { Forged } from '../adapter'
import { refusesForgeries } from '../hostile'
import { anOrder, incoming, outside, type Spoken } from '../testing'
import fixture from './paypal.fixture.json'
import { paypal, signedText } from './paypal'

const env = {
  PAYPAL_CLIENT_ID: 'id',
  PAYPAL_CLIENT_SECRET: 'secret',
  PAYPAL_WEBHOOK_ID: fixture.webhookId,
}
const capture = {
  id: 'CAP1',
  status: 'COMPLETED',
  custom_id: '-Opay_ment-1',
  amount: { currency_code: 'USD', value: '19.99' },
}
const answering =
  (more: (request: Spoken) => unknown = () => ({})) =>
  (request: Spoken) => {
    if (request.url.endsWith('/oauth2/token')) return { access_token: 't', expires_in: 3600 }
    if (request.url.includes('/certs/')) return fixture.certificate
    return more(request)
  }
const good = () =>
  incoming({
    body: fixture.body,
    headers: {
      'paypal-transmission-id': fixture.transmissionId,
      'paypal-transmission-time': fixture.transmissionTime,
      'paypal-transmission-sig': fixture.signature,
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-1',
    },
  })
/** The certificate of the fixture is valid from this day on. */
const NEXT_DAY = TEST_NOW + 86_400_000
const asked = { payment: '-Opay_ment-1', minor: 1999, currency: 'USD', refunded: 0, createdAt: 0 }

describe('paypal', () => {
  it('is not there without all its keys', () => {
    for (const name of Object.keys(env))
      expect(paypal({ ...env, [name]: ' ' }, outside())).toBeNull()
  })
  it('opens an order once per attempt, with the token it keeps', async () => {
    const order = { id: 'O1', links: [{ rel: 'payer-action', href: 'https://www.paypal.com/o' }] }
    const world = outside(answering(() => order))
    const adapter = paypal(env, world)
    const opened = await adapter?.checkout(anOrder())
    await adapter?.checkout(anOrder())
    expect(opened).toEqual({ kind: 'redirect', url: 'https://www.paypal.com/o', ref: 'O1' })
    expect(world.asked.map(({ url }) => new URL(url).pathname)).toEqual([
      '/v1/oauth2/token',
      '/v2/checkout/orders',
      '/v2/checkout/orders',
    ])
    expect(world.asked[1]?.headers['paypal-request-id']).toBe('-Opay_ment-1')
    expect(world.asked[1]?.json).toMatchObject({
      purchase_units: [{ custom_id: '-Opay_ment-1', amount: { value: '19.99' } }],
    })
  })
  it('takes no decimals of forints', async () => {
    const order = { id: 'O1', links: [{ rel: 'approve', href: 'https://www.paypal.com/o' }] }
    const world = outside(answering(() => order))
    const adapter = paypal(env, world)
    await adapter?.checkout(anOrder({ currency: 'HUF', minor: 50_000 }))
    expect(world.asked[1]?.body).toContain('"value":"500"')
    const odd = adapter?.checkout(anOrder({ currency: 'HUF', minor: 50_050 }))
    await expect(odd).rejects.toThrow('decimals')
    expect(adapter?.supports('UYU')).toBe(false)
  })
  it('captures what the payer approved, and believes only the capture', async () => {
    const world = outside(
      answering(({ url }) =>
        url.endsWith('/capture')
          ? { status: 'COMPLETED', purchase_units: [{ payments: { captures: [capture] } }] }
          : { id: 'O1', status: 'APPROVED' },
      ),
    )
    const event = await paypal(env, world)?.ask?.({ ...asked, checkout_ref: 'O1' })
    expect(event).toMatchObject({ status: 'paid', ref: 'CAP1', minor: 1999, currency: 'USD' })
    expect(world.asked.at(-1)?.headers['paypal-request-id']).toBe('-Opay_ment-1-capture')
    const open = paypal(env, outside(answering(() => ({ status: 'PAYER_ACTION_REQUIRED' }))))
    expect(await open?.ask?.({ ...asked, checkout_ref: 'O1' })).toBeNull()
  })
  it('signs what PayPal’s SDK tests sign', () => {
    // The checksum is the standard's own check value.
    expect(signedText('a', 'b', 'c', Buffer.from('123456789'))).toBe('a|b|c|3421780262')
  })
  refusesForgeries({
    adapter: () => paypal(env, outside(answering(), NEXT_DAY)),
    good,
    unsigned: (m) => ({ ...m, headers: { ...m.headers, 'paypal-transmission-sig': '' } }),
    forged: (m) => ({ ...m, headers: { ...m.headers, 'paypal-transmission-id': 'tid-2' } }),
  })
  it.each([
    'https://paypal.com.evil.example/certs/1',
    'https://evilpaypal.com/certs/1',
    'http://api.paypal.com/certs/1',
    'https://api.paypal.com:8443/certs/1',
    'https://user@evil.example/.paypal.com/certs/',
    'file:///etc/certs/1',
    '',
  ])('asks for no certificate at %s', async (address) => {
    const world = outside(answering())
    const message = good()
    const call = paypal(env, world)?.notified({
      ...message,
      headers: { ...message.headers, 'paypal-cert-url': address },
    })
    await expect(call).rejects.toThrow(Forged)
    expect(world.asked).toEqual([])
  })
  it('refuses a stale message, and a certificate whose time has passed', async () => {
    const later = paypal(env, outside(answering(), TEST_NOW + 5 * 86_400_000))
    await expect(later?.notified(good())).rejects.toThrow('stale')
    const message = good()
    const far = Date.UTC(2200, 1)
    const headers = {
      ...message.headers,
      'paypal-transmission-time': new Date(far).toISOString(),
    }
    const call = paypal(env, outside(answering(), far))?.notified({ ...message, headers })
    await expect(call).rejects.toThrow(Forged)
  })
  it('refunds under the caller’s key', async () => {
    const world = outside(answering(() => ({ id: 'R1', status: 'COMPLETED' })))
    const event = await paypal(env, world)?.refund?.({ ...asked, ref: 'CAP1' }, 500, 'key')
    expect(event).toMatchObject({ status: 'refunded', refundId: 'R1', minor: 500, ref: 'CAP1' })
    expect(world.asked[1]?.json).toEqual({ amount: { currency_code: 'USD', value: '5.00' } })
  })
})
