import { describe, expect, it } from 'vitest'
import type { OutgoingMessage } from '../../ports/messages'
import { createMessageService } from './messageService'

const NOW = Date.UTC(2026, 10, 20, 15)

interface Reply {
  status?: number
  body: unknown
  headers?: Record<string, string>
}
/** A service that answers with these replies in turn; an error means that no reply came. */
const createService = (keys: object, ...replies: (Reply | Error)[]) => {
  const requests: { url: string; method: string; headers: Headers; body: string }[] = []
  const fetcher: typeof fetch = (input, init) => {
    requests.push({
      url: input instanceof Request ? input.url : String(input),
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? init.body : '',
    })
    const reply = replies[requests.length - 1] ?? new Error('no more replies')
    if (reply instanceof Error) return Promise.reject(reply)
    const { status = 200, body, headers = {} } = reply
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return Promise.resolve(new Response(text, { status, headers }))
  }
  const env = { MESSAGE_KEYS: JSON.stringify(keys) }
  return { requests, port: createMessageService(env, { fetch: fetcher, now: () => NOW }) }
}
const aMessage = (more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  channel: 'sms',
  to: '+15558675310',
  text: 'Hi there',
  language: 'en',
  idempotencyKey: 'key-1',
  ...more,
})
const parseForm = (body: string) => Object.fromEntries(new URLSearchParams(body))

describe('SMS through Twilio', () => {
  const keys = {
    sms: { provider: 'twilio', account: 'AC0123', token: 'secret', from: '+15017122661' },
  }
  const taken = {
    sid: 'SM29f4f980778e4621b72df75ac82f5000',
    date_created: 'Fri, 20 Nov 2026 15:00:00 +0000',
    date_sent: null,
    to: '+15558675310',
    from: '+15017122661',
    body: 'Hi there',
    status: 'queued',
    num_segments: '1',
    direction: 'outbound-api',
    api_version: '2010-04-01',
    error_code: null,
    error_message: null,
  }
  const refusal = (code: number, status: number): Reply => ({
    status,
    body: {
      code,
      message: 'Refused',
      more_info: `https://www.twilio.com/docs/errors/${code}`,
      status,
    },
  })

  it('posts the documented form and returns the message’s id', async () => {
    const { port, requests } = createService(keys, { status: 201, body: taken })
    expect(await port.send(aMessage())).toEqual({ state: 'sent', ref: taken.sid })
    const [request] = requests
    expect(request).toMatchObject({
      url: 'https://api.twilio.com/2010-04-01/Accounts/AC0123/Messages.json',
      method: 'POST',
    })
    expect(parseForm(request?.body ?? '')).toEqual({
      To: '+15558675310',
      From: '+15017122661',
      Body: 'Hi there',
    })
    expect(request?.headers.get('authorization')).toBe(
      `Basic ${Buffer.from('AC0123:secret').toString('base64')}`,
    )
    expect(request?.headers.get('content-type')).toBe('application/x-www-form-urlencoded')
  })

  it('names a messaging service instead of a number', async () => {
    const service = { sms: { ...keys.sms, from: 'MG0123' } }
    const { port, requests } = createService(service, { status: 201, body: taken })
    await port.send(aMessage())
    expect(parseForm(requests[0]?.body ?? '')).toEqual({
      To: '+15558675310',
      MessagingServiceSid: 'MG0123',
      Body: 'Hi there',
    })
  })

  it.each([
    ['an invalid number', refusal(21211, 400), { state: 'rejected', why: 'twilio_21211' }],
    [
      'a person who answered STOP',
      refusal(21610, 400),
      { state: 'rejected', why: 'twilio_21610', isOptedOut: true },
    ],
    ['a wrong token', refusal(20003, 401), { state: 'retry', why: 'twilio_20003' }],
    [
      'too many requests',
      { ...refusal(20429, 429), headers: { 'retry-after': '30' } },
      { state: 'retry', why: 'twilio_20429', afterMs: 30_000 },
    ],
    [
      'a pause until a time',
      { ...refusal(20429, 429), headers: { 'retry-after': 'Fri, 20 Nov 2026 15:01:00 GMT' } },
      { state: 'retry', why: 'twilio_20429', afterMs: 60_000 },
    ],
    [
      'a failure of the service',
      { status: 503, body: '<html>' },
      { state: 'retry', why: 'twilio_503' },
    ],
    ['no reply', new Error('ECONNRESET'), { state: 'retry', why: 'no_reply' }],
  ])('decides about %s', async (_, reply, outcome) => {
    expect(await createService(keys, reply).port.send(aMessage())).toEqual(outcome)
  })

  it('finds a message whose reply was lost, and no older or other one', async () => {
    const page = (changes: object) => ({
      body: {
        page: 0,
        page_size: 20,
        messages: [
          { ...taken, body: 'Other' },
          { ...taken, ...changes },
        ],
      },
    })
    const { port, requests } = createService(
      keys,
      page({}),
      page({ date_created: 'Fri, 20 Nov 2026 14:50:00 +0000' }),
      page({ direction: 'inbound' }),
    )
    expect(await port.find(aMessage(), NOW)).toBe(taken.sid)
    expect(await port.find(aMessage(), NOW)).toBeNull()
    expect(await port.find(aMessage(), NOW)).toBeNull()
    const { pathname, searchParams } = new URL(requests[0]?.url ?? '')
    expect(pathname).toBe('/2010-04-01/Accounts/AC0123/Messages.json')
    expect(Object.fromEntries(searchParams)).toEqual({ To: '+15558675310', PageSize: '20' })
  })

  it('does not take a failed query for a message that was not sent', async () => {
    const { port } = createService(keys, refusal(20003, 401))
    await expect(port.find(aMessage(), NOW)).rejects.toThrow('401')
  })
})

describe('SMS through Vonage', () => {
  const keys = { sms: { provider: 'vonage', key: 'abcd1234', secret: 'secret', from: 'AcmeTaxis' } }
  const part = (status: string, more: object = {}) => ({ status, ...more })
  const reply = (...messages: object[]): Reply => ({
    body: { 'message-count': String(messages.length), messages },
  })

  it('posts the documented form and returns the message’s id', async () => {
    const { port, requests } = createService(
      keys,
      reply({
        to: '447700900000',
        'message-id': '0C000000217B7F02',
        status: '0',
        'remaining-balance': '15.53590000',
        'message-price': '0.03330000',
        network: '23410',
      }),
    )
    const sent = await port.send(aMessage({ to: '+447700900000' }))
    expect(sent).toEqual({ state: 'sent', ref: '0C000000217B7F02' })
    expect(requests[0]?.url).toBe('https://rest.nexmo.com/sms/json')
    expect(parseForm(requests[0]?.body ?? '')).toEqual({
      api_key: 'abcd1234',
      api_secret: 'secret',
      from: 'AcmeTaxis',
      to: '447700900000',
      text: 'Hi there',
      type: 'text',
      'client-ref': 'key-1',
    })
  })

  it('marks a text outside the GSM alphabet as Unicode', async () => {
    const { port, requests } = createService(keys, reply(part('0')), reply(part('0')))
    await port.send(aMessage({ text: 'السائق في الطريق' }))
    await port.send(aMessage({ text: 'Ñandú & Co: 5 €' }))
    expect(requests.map(({ body }) => parseForm(body)['type'])).toEqual(['unicode', 'unicode'])
  })

  it.each([
    ['1', 'retry'],
    ['4', 'retry'],
    ['5', 'retry'],
    ['9', 'retry'],
    ['3', 'rejected'],
    ['6', 'rejected'],
    ['7', 'rejected'],
    ['29', 'rejected'],
  ])('decides about status %s', async (status, state) => {
    const { port } = createService(keys, reply(part(status, { 'error-text': 'Refused' })))
    expect(await port.send(aMessage())).toEqual({ state, why: `vonage_${status}` })
  })

  it('does not repeat a long text of which a part was taken', async () => {
    const { port } = createService(keys, reply(part('0', { 'message-id': 'a' }), part('1')))
    expect(await port.send(aMessage())).toEqual({ state: 'sent', ref: 'a' })
  })

  it('tries again after an answer without a status', async () => {
    const { port } = createService(keys, { body: '<html>' })
    expect(await port.send(aMessage())).toEqual({ state: 'retry', why: 'vonage_unknown' })
  })

  it('cannot tell if a message was sent', async () => {
    expect(await createService(keys).port.find(aMessage(), NOW)).toBeNull()
  })
})

describe('e-mail through Postmark', () => {
  const keys = {
    email: { provider: 'postmark', token: 'server token', from: 'Acme <ride@acme.example>' },
  }
  const anEmail = () =>
    aMessage({
      channel: 'email',
      to: 'receiver@example.com',
      subject: 'Receipt',
      text: 'Hello',
      html: '<p>Hello</p>',
    })
  const answer = (status: number, code: number, headers = {}): Reply => ({
    status,
    body: { ErrorCode: code, Message: 'Refused' },
    headers,
  })

  it('posts the documented message and returns its id', async () => {
    const { port, requests } = createService(keys, {
      body: {
        To: 'receiver@example.com',
        SubmittedAt: '2026-11-20T15:00:00.0000000-05:00',
        MessageID: 'b7bc2f4a-e38e-4336-af7d-e6c392c2f817',
        ErrorCode: 0,
        Message: 'OK',
      },
    })
    const sent = await port.send(anEmail())
    expect(sent).toEqual({ state: 'sent', ref: 'b7bc2f4a-e38e-4336-af7d-e6c392c2f817' })
    expect(requests[0]?.url).toBe('https://api.postmarkapp.com/email')
    expect(requests[0]?.headers.get('x-postmark-server-token')).toBe('server token')
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      From: 'Acme <ride@acme.example>',
      To: 'receiver@example.com',
      Subject: 'Receipt',
      TextBody: 'Hello',
      HtmlBody: '<p>Hello</p>',
      MessageStream: 'outbound',
      Metadata: { key: 'key-1' },
    })
  })

  it('attaches a picture that the HTML shows', async () => {
    const { port, requests } = createService(keys, answer(200, 0))
    await port.send({ ...anEmail(), pictures: [{ name: 'route.png', png: 'iVBORw0KGgo=' }] })
    expect(JSON.parse(requests[0]?.body ?? '')).toMatchObject({
      Attachments: [
        {
          Name: 'route.png',
          Content: 'iVBORw0KGgo=',
          ContentType: 'image/png',
          ContentID: 'cid:route.png',
        },
      ],
    })
  })

  it.each([
    ['an inactive recipient', answer(422, 406), { state: 'rejected', why: 'postmark_406' }],
    ['an invalid message', answer(422, 300), { state: 'rejected', why: 'postmark_300' }],
    ['an unconfirmed sender', answer(422, 401), { state: 'retry', why: 'postmark_401' }],
    ['a stopped account', answer(422, 413), { state: 'retry', why: 'postmark_413' }],
    ['a wrong token', answer(401, 10), { state: 'retry', why: 'postmark_10' }],
    [
      'too many requests',
      answer(429, 429, { 'retry-after': '5' }),
      { state: 'retry', why: 'postmark_429', afterMs: 5000 },
    ],
    ['maintenance', answer(503, 100), { state: 'retry', why: 'postmark_100' }],
  ])('decides about %s', async (_, reply, outcome) => {
    expect(await createService(keys, reply).port.send(anEmail())).toEqual(outcome)
  })

  it('finds a message whose reply was lost by its metadata', async () => {
    const { port, requests } = createService(
      keys,
      { body: { TotalCount: 1, Messages: [{ MessageID: 'm1', Status: 'Sent' }] } },
      { body: { TotalCount: 0, Messages: [] } },
    )
    expect(await port.find(anEmail(), NOW)).toBe('m1')
    expect(await port.find(anEmail(), NOW)).toBeNull()
    expect(requests[0]?.url).toBe(
      'https://api.postmarkapp.com/messages/outbound?count=1&offset=0&metadata_key=key-1',
    )
  })
})

describe('WhatsApp through the Cloud API', () => {
  const keys = {
    whatsapp: { phoneNumberId: '106540352242922', token: 'EAAJB', template: 'trip_update' },
  }
  const aText = (more: object = {}) => aMessage({ channel: 'whatsapp', ...more })
  const refusal = (status: number, code: number): Reply => ({
    status,
    body: {
      error: {
        message: `(#${code}) Refused`,
        type: 'OAuthException',
        code,
        error_data: { messaging_product: 'whatsapp', details: 'Refused' },
        fbtrace_id: 'Az8or2yhqkZfEZ',
      },
    },
  })

  it('posts the documented template message and returns its id', async () => {
    const { port, requests } = createService(keys, {
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: '15558675310', wa_id: '15558675310' }],
        messages: [{ id: 'wamid.HBgLMTIz', message_status: 'accepted' }],
      },
    })
    const sent = await port.send(aText({ text: 'Driver\non the    way', language: 'pt-BR' }))
    expect(sent).toEqual({ state: 'sent', ref: 'wamid.HBgLMTIz' })
    expect(requests[0]?.url).toBe('https://graph.facebook.com/v23.0/106540352242922/messages')
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer EAAJB')
    expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '15558675310',
      type: 'template',
      template: {
        name: 'trip_update',
        language: { code: 'pt_BR' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Driver on the way' }] }],
      },
      biz_opaque_callback_data: 'key-1',
    })
  })

  it.each([
    ['a number without WhatsApp', refusal(400, 131026), 'rejected', 'whatsapp_131026'],
    ['a missing template', refusal(404, 132001), 'retry', 'whatsapp_132001'],
    ['an invalid parameter', refusal(400, 100), 'rejected', 'whatsapp_100'],
    ['an expired token', refusal(401, 190), 'retry', 'whatsapp_190'],
    ['a reached limit', refusal(400, 130429), 'retry', 'whatsapp_130429'],
    ['too many messages to one person', refusal(400, 131056), 'retry', 'whatsapp_131056'],
    ['an unknown failure', refusal(500, 131000), 'retry', 'whatsapp_131000'],
  ])('decides about %s', async (_, reply, state, why) => {
    expect(await createService(keys, reply).port.send(aText())).toEqual({ state, why })
  })
})

describe('the keys of the services', () => {
  it('sends nothing through a channel without a service', async () => {
    const { port, requests } = createService({})
    expect(port.has('sms')).toBe(false)
    expect(await port.send(aMessage())).toEqual({ state: 'rejected', why: 'not_configured' })
    expect(requests).toEqual([])
  })

  it.each([
    ['{', 'is not JSON'],
    ['{"sms":{"provider":"twilio","account":"AC1","from":"+1555"}}', 'sms.token'],
    ['{"sms":{"provider":"pigeon"}}', 'sms.provider'],
    ['{"email":{"provider":"postmark","token":" ","from":"a@b"}}', 'email.token'],
    ['{"whatsapp":{"phoneNumberId":1}}', 'whatsapp.phoneNumberId'],
  ])('refuses %s and names the field', (secret, words) => {
    const port = createMessageService({ MESSAGE_KEYS: secret })
    expect(() => port.has('sms')).toThrow(words)
  })
})
