import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { internalPaths } from '~/domain/data/internalPaths'
import type { WebhookRequest } from '../../ports/paymentAdapter'
import { createTestDatabase } from '../../testing/testDatabase'
import { noProviders } from '../../ports/payments'
import { aProject, createTestPorts, TEST_NOW } from '../../testing/testPorts'
import type { MessageKeys } from '../../messageKeys'
import { hashAddress } from '../../services/messages/optOuts'
import { handleMessageWebhook } from './webhookHandler'
import { signMeta, signTwilio, signVonage } from './webhooks'
import type { MessageOptOut } from '~/domain/messages/types'

const TWILIO: MessageKeys = {
  sms: { provider: 'twilio', account: 'AC1', token: '12345', from: '+15550001' },
}
const VONAGE: MessageKeys = {
  sms: { provider: 'vonage', key: 'k', secret: 's', from: 'Acme', signatureSecret: 'signed' },
}
const POSTMARK: MessageKeys = {
  email: { provider: 'postmark', token: 't', from: 'a@b.example', webhookPassword: 'a password' },
}
const WHATSAPP: MessageKeys = {
  whatsapp: {
    phoneNumberId: '106540352242922',
    token: 'EAAJB',
    template: 'trip_update',
    appSecret: 'app secret',
    verifyToken: 'meatyhamhock',
  },
}
const NUMBER = '+59899123456'
const toUrl = (service: string) => `https://fn.example/message_webhook/${service}`

const anOffice = (keys: MessageKeys) => {
  const db = createTestDatabase(aProject())
  const ports = createTestPorts({
    db,
    payments: { ...noProviders, urls: { ...noProviders.urls, messageWebhook: toUrl } },
  })
  return {
    deliver: (incoming: Partial<WebhookRequest>) =>
      handleMessageWebhook(
        ports,
        keys,
        {
          method: 'POST',
          path: '/',
          query: new URLSearchParams(),
          headers: {},
          body: Buffer.alloc(0),
          ip: '10.0.0.1',
          ...incoming,
        },
        TEST_NOW,
      ),
    find: (address: string) =>
      db.at(
        internalPaths.messageOptOut(hashAddress(address, ports.config)),
      ) as MessageOptOut | null,
    all: () => JSON.stringify(db.at('internal/message_opt_outs')),
  }
}

describe('the signature of Twilio', () => {
  it('is that of the example in its documentation', () => {
    const form = new URLSearchParams({
      To: '+18005551212',
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
    })
    expect(signTwilio('https://mycompany.com/myapp.php?foo=1&bar=2', form, '12345')).toBe(
      'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
    )
  })
})

/** A request of Twilio with these fields and its signature. */
const signForm = (fields: string[][], token = '12345') => {
  const form = new URLSearchParams(fields)
  return {
    path: '/twilio',
    headers: { 'x-twilio-signature': signTwilio(toUrl('twilio'), form, token) },
    body: Buffer.from(form.toString()),
  }
}

describe('an answer to an SMS of Twilio', () => {
  const answer = (fields: Record<string, string>, token?: string) =>
    signForm(Object.entries({ From: NUMBER, To: '+15550001', ...fields }), token)

  it('stops and starts the messages to its number, under a hash', async () => {
    const { deliver, find, all } = anOffice(TWILIO)
    const { response } = await deliver(answer({ Body: 'Alto' }))
    expect(response).toMatchObject({ status: 200, body: '<Response/>' })
    expect(find(NUMBER)).toEqual({ at: TEST_NOW, why: 'stop', revision: 1 })
    expect(all()).not.toContain('99123456')
    await deliver(answer({ Body: 'START' }))
    expect(find(NUMBER)).toBeNull()
  })

  it('counts as Twilio names it, whatever its language', async () => {
    const { deliver, find } = anOffice(TWILIO)
    await deliver(answer({ Body: 'Lopeta', OptOutType: 'STOP' }))
    expect(find(NUMBER)).not.toBeNull()
    await deliver(answer({ Body: 'help', OptOutType: 'HELP' }))
    expect(find(NUMBER)).not.toBeNull()
  })

  it('changes nothing when it is another text', async () => {
    const { deliver, all } = anOffice(TWILIO)
    await deliver(answer({ Body: 'Please stop at the corner' }))
    expect(all()).toBe('null')
  })

  it('comes twice, and fifty times at once, with one result', async () => {
    const { deliver, find } = anOffice(TWILIO)
    const all = Array.from({ length: 50 }, () => deliver(answer({ Body: 'STOP' })))
    expect((await Promise.all(all)).every(({ response }) => response.status === 200)).toBe(true)
    expect(find(NUMBER)).toEqual({ at: TEST_NOW, why: 'stop', revision: 1 })
  })

  it.each([
    ['another token', answer({ Body: 'STOP' }, 'x')],
    ['no signature', { ...answer({ Body: 'STOP' }), headers: {} }],
    ['another body', { ...answer({ Body: 'hi' }), body: Buffer.from('From=%2B1&Body=STOP') }],
    [
      'a repeated field, which is signed',
      signForm([
        ['From', '+15550009'],
        ['From', NUMBER],
        ['Body', 'STOP'],
      ]),
    ],
    ['an added query', { ...answer({ Body: 'STOP' }), query: new URLSearchParams({ a: '1' }) }],
  ])('is refused with %s', async (_, incoming) => {
    const { deliver, all } = anOffice(TWILIO)
    expect((await deliver(incoming)).response.status).toBe(403)
    expect(all()).toBe('null')
  })
})

describe('a signed SMS whose fields are divided in another way', () => {
  const send = (fields: Record<string, string>) => signForm(Object.entries(fields))
  const victim = '+15550001'

  it.each([
    [
      'a sender inside a name',
      { Body: `STOPFrom${victim}`, From: NUMBER },
      { Body: 'STOP', From: victim, [`From${NUMBER}`]: '' },
    ],
    [
      'a sender in the value of another field',
      { Body: `STOPFrom${victim}G`, From: NUMBER, FromCity: 'X' },
      { Body: 'STOP', From: victim, G: `From${NUMBER}FromCityX` },
    ],
    [
      'a sender at the end of a name',
      { Body: `STOPFrom${victim}G`, From: NUMBER, FromCity: 'X' },
      { Body: 'STOP', From: victim, GFrom: `${NUMBER}FromCityX` },
    ],
    [
      'a sender of WhatsApp in the value of another field',
      { Body: `STOPFromwhatsapp:${victim}G`, From: `whatsapp:${NUMBER}` },
      { Body: 'STOP', From: `whatsapp:${victim}`, G: `Fromwhatsapp:${NUMBER}` },
    ],
    [
      'a short code in the value of another field',
      { Body: `STOPFrom${victim}G`, From: '12345' },
      { Body: 'STOP', From: victim, G: 'From12345' },
    ],
    [
      'a text after another text',
      { ApiVersion: '1', Body: `BodySTOPFrom${victim}G`, From: NUMBER },
      { ApiVersion: '1Body', Body: 'STOP', From: victim, G: `From${NUMBER}` },
    ],
  ])('is refused with %s', async (_, original, divided: Record<string, string>) => {
    const { deliver, all } = anOffice(TWILIO)
    expect(send(divided).headers).toEqual(send(original).headers)
    expect((await deliver(send(original))).response.status).toBe(200)
    expect((await deliver(send(divided))).response.status).toBe(403)
    expect(all()).toBe('null')
  })

  it('changes nothing when its sender is no number', async () => {
    const { deliver, all } = anOffice(TWILIO)
    const { response } = await deliver(send({ Body: 'STOP', From: 'messenger:12345678' }))
    expect(response.status).toBe(200)
    expect(all()).toBe('null')
  })

  it('is refused with a name that Twilio never sends', async () => {
    const { deliver, all } = anOffice(TWILIO)
    const { response } = await deliver(send({ Body: 'STOP', From: NUMBER, '+1': '' }))
    expect(response.status).toBe(403)
    expect(all()).toBe('null')
  })

  it('counts with the documented fields whose names contain those of others', async () => {
    const { deliver, find } = anOffice(TWILIO)
    const places = { FromCity: 'Salto', FromCountry: 'UY', FromState: 'SA', FromZip: '50000' }
    const more = { ...places, ReferralBody: 'Ride with us', OptOutType: 'STOP' }
    await deliver(send({ Body: 'STOP', From: `whatsapp:${NUMBER}`, ...more }))
    expect(find(NUMBER)).not.toBeNull()
  })
})

describe('an answer to an SMS of Vonage', () => {
  const makeFields = (more: Record<string, string> = {}) => ({
    'api-key': 'k',
    msisdn: '59899123456',
    to: '14155550100',
    text: 'STOP',
    timestamp: String(TEST_NOW / 1000),
    nonce: 'aaaa',
    ...more,
  })
  const signed = (more: Record<string, string> = {}, secret = 'signed') => {
    const fields = new URLSearchParams(makeFields(more))
    fields.set('sig', signVonage(fields, secret))
    return fields
  }

  it('has a signature over its sorted fields, in which `&` and `=` are `_`', () => {
    const fields = new URLSearchParams({ text: 'a&b=c', msisdn: '1', sig: 'ignored' })
    const expected = createHmac('sha256', 'signed').update('&msisdn=1&text=a_b_c').digest('hex')
    expect(signVonage(fields, 'signed')).toBe(expected)
  })

  it.each([
    ['a query', { method: 'GET', query: signed() }],
    [
      'a form',
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: Buffer.from(signed().toString()),
      },
    ],
    [
      'JSON',
      {
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(Object.fromEntries(signed()))),
      },
    ],
  ])('stops the messages when it comes as %s', async (_, incoming) => {
    const { deliver, find } = anOffice(VONAGE)
    expect((await deliver({ path: '/vonage', ...incoming })).response.status).toBe(200)
    expect(find(NUMBER)).toMatchObject({ why: 'stop' })
  })

  it.each([
    ['another secret', signed({}, 'x')],
    ['no signature', new URLSearchParams(makeFields())],
    ['a time two days ago', signed({ timestamp: String(TEST_NOW / 1000 - 2 * 86_400) })],
    ['no time', signed({ timestamp: 'now' })],
  ])('is refused with %s', async (_, query) => {
    const { deliver, all } = anOffice(VONAGE)
    const { response } = await deliver({ path: '/vonage', method: 'GET', query })
    expect(response.status).toBe(403)
    expect(all()).toBe('null')
  })
})

describe('a report of Postmark', () => {
  const report = (event: object, password = 'a password') => ({
    path: '/postmark',
    headers: { authorization: `Basic ${Buffer.from(`kerbside:${password}`).toString('base64')}` },
    body: Buffer.from(JSON.stringify(event)),
  })
  const Email = 'Ana@Example.com'

  it.each([
    ['bounce', { RecordType: 'Bounce', Type: 'HardBounce', Email }],
    ['complaint', { RecordType: 'SpamComplaint', Email }],
    [
      'complaint',
      {
        RecordType: 'SubscriptionChange',
        Recipient: Email,
        SuppressSending: true,
        SuppressionReason: 'SpamComplaint',
      },
    ],
  ] as const)('of a %s ends the e-mails to the address: %j', async (why, event) => {
    const { deliver, find } = anOffice(POSTMARK)
    await deliver(report(event))
    expect(find('ana@example.com')).toMatchObject({ why })
    await deliver(
      report({ RecordType: 'SubscriptionChange', Recipient: Email, SuppressSending: false }),
    )
    expect(find('ana@example.com')).toBeNull()
  })

  it.each([
    { RecordType: 'Bounce', Type: 'SoftBounce', Email },
    { RecordType: 'Delivery', Recipient: Email },
    { RecordType: 'Bounce', Type: 'HardBounce', Email: 7 },
    [],
    null,
  ])('of anything else changes nothing: %j', async (event) => {
    const { deliver, all } = anOffice(POSTMARK)
    expect((await deliver(report(event as object))).response.status).toBe(200)
    expect(all()).toBe('null')
  })

  it('is refused with another password', async () => {
    const { deliver, all } = anOffice(POSTMARK)
    const { response } = await deliver(report({ RecordType: 'SpamComplaint', Email }, 'x'))
    expect(response.status).toBe(403)
    expect(all()).toBe('null')
  })
})

it.each([
  ['/twilio', {}],
  ['/vonage', TWILIO],
  ['/vonage', { sms: { provider: 'vonage', key: 'k', secret: 's', from: 'Acme' } }],
  ['/postmark', { email: { provider: 'postmark', token: 't', from: 'a@b' } }],
  ['/__proto__', TWILIO],
  ['/', TWILIO],
] as [string, MessageKeys][])(
  'answers not found at %s without a key for it',
  async (path, keys) => {
    expect((await anOffice(keys).deliver({ path })).response.status).toBe(404)
  },
)

describe('the signature of Meta', () => {
  it('is that of the published example of X-Hub-Signature-256', () => {
    expect(signMeta(Buffer.from('Hello, World!'), "It's a Secret to Everybody")).toBe(
      'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    )
  })
})

describe('an answer in WhatsApp', () => {
  const aText = (body: string, from = '59899123456') => ({
    from,
    id: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQTRBNjU5OUFFRTAzODEwMTQ0RgA=',
    timestamp: '1749416383',
    type: 'text',
    text: { body },
  })
  /** A request as documented, with these messages. */
  const answer = (
    messages: object[],
    { secret = 'app secret', to = '106540352242922', field = 'messages', status = false } = {},
  ) => {
    const value = {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '15550783881', phone_number_id: to },
      ...(status
        ? { statuses: messages }
        : {
            contacts: [{ profile: { name: 'Sheena Nelson' }, wa_id: '59899123456' }],
            messages,
          }),
    }
    const entry = [{ id: '102290129340398', changes: [{ value, field }] }]
    const body = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry }))
    return {
      path: '/whatsapp',
      headers: {
        'content-type': 'application/json',
        'x-hub-signature-256': signMeta(body, secret),
      },
      body,
    }
  }

  it('stops and starts the messages to its number, under a hash', async () => {
    const { deliver, find, all } = anOffice(WHATSAPP)
    const { response, outcome } = await deliver(answer([aText('إيقاف')]))
    expect(response.status).toBe(200)
    expect(outcome).toBe('whatsapp:out')
    expect(find(NUMBER)).toEqual({ at: TEST_NOW, why: 'stop', revision: 1 })
    expect(all()).not.toContain('99123456')
    await deliver(answer([aText('start')]))
    expect(find(NUMBER)).toBeNull()
  })

  it('counts as a button of the template, and each of several messages counts', async () => {
    const { deliver, find } = anOffice(WHATSAPP)
    const pressed = { ...aText(''), type: 'button', text: undefined, button: { text: 'STOP' } }
    await deliver(answer([aText('STOP', '16505551234'), pressed]))
    expect(find('+16505551234')).not.toBeNull()
    expect(find(NUMBER)).not.toBeNull()
  })

  it('comes twice, and fifty times at once, with one result', async () => {
    const { deliver, find } = anOffice(WHATSAPP)
    const all = Array.from({ length: 50 }, () => deliver(answer([aText('STOP')])))
    expect((await Promise.all(all)).every(({ response }) => response.status === 200)).toBe(true)
    expect(find(NUMBER)).toEqual({ at: TEST_NOW, why: 'stop', revision: 1 })
  })

  it.each([
    ['is another text', answer([aText('Please stop at the corner')])],
    ['is a picture', answer([{ ...aText(''), type: 'image', image: { caption: 'STOP' } }])],
    ['is to another number of the app', answer([aText('STOP')], { to: '999' })],
    ['is another kind of event', answer([aText('STOP')], { field: 'account_update' })],
    ['is the status of a message', answer([aText('STOP')], { status: true })],
  ])('changes nothing when it %s', async (_, incoming) => {
    const { deliver, all } = anOffice(WHATSAPP)
    expect((await deliver(incoming)).response.status).toBe(200)
    expect(all()).toBe('null')
  })

  it('is refused with a wrong signature, and with changed bytes', async () => {
    const { deliver, all } = anOffice(WHATSAPP)
    const forged = await deliver(answer([aText('STOP')], { secret: 'guess' }))
    expect(forged.response.status).toBe(403)
    const { headers } = answer([aText('STOP')])
    const other = { ...answer([aText('START')]), headers }
    expect((await deliver(other)).response.status).toBe(403)
    expect(all()).toBe('null')
  })

  it('is unknown without the app’s secret', async () => {
    const { deliver } = anOffice({})
    expect((await deliver(answer([aText('STOP')]))).response.status).toBe(404)
  })

  it.each(['null', '{"entry":1}', '{"entry":[{"changes":[null,{"field":"messages"}]}]}', '<'])(
    'changes nothing when its body is %s',
    async (text) => {
      const { deliver, all } = anOffice(WHATSAPP)
      const body = Buffer.from(text)
      const headers = { 'x-hub-signature-256': signMeta(body, 'app secret') }
      expect((await deliver({ path: '/whatsapp', headers, body })).response.status).toBe(200)
      expect(all()).toBe('null')
    },
  )
})

describe('the set-up of the webhook at Meta', () => {
  const verify = (over: Record<string, string> = {}) => ({
    method: 'GET' as const,
    path: '/whatsapp',
    query: new URLSearchParams({
      'hub.mode': 'subscribe',
      'hub.challenge': '1158201444',
      'hub.verify_token': 'meatyhamhock',
      ...over,
    }),
  })

  it('gets the challenge back', async () => {
    const { deliver } = anOffice(WHATSAPP)
    expect((await deliver(verify())).response).toMatchObject({ status: 200, body: '1158201444' })
  })

  it.each<Record<string, string>>([{ 'hub.verify_token': 'guess' }, { 'hub.mode': 'unsubscribe' }])(
    'is refused with %j',
    async (wrong) => {
      const { deliver } = anOffice(WHATSAPP)
      const { response } = await deliver(verify(wrong))
      expect(response).toMatchObject({ status: 403, body: '' })
    },
  )

  it('is unknown without our word', async () => {
    const { deliver } = anOffice({})
    expect((await deliver(verify())).response.status).toBe(404)
  })
})
