import type { Random } from '~/domain/data/seededRandom'
import {
  toRequestBody,
  pickHostileText,
  toJsonText,
  corruptValue,
  type Json,
  toWellFormed,
} from './hostileValues'
import { PROVIDER_IDS } from '~/domain/payments/providers'
import { CALLABLE_INPUTS, POST_INPUTS, type InputFactory } from './endpointInputs'
import type { HttpRequest } from './httpRequest'
import type { Targets } from './targets'
import { createBadTokens, type Attacker } from './attackers'
import { PROJECT } from '~/scripts/local/localDatabase'

const MAPS_KEY = `Basic ${btoa('kerbside:maps')}`

const GET_ENDPOINTS = ['get_providers', 'track', 'health'] as const
/** The names of all function endpoints. */
export const ENDPOINTS: readonly string[] = [
  ...Object.keys(CALLABLE_INPUTS),
  ...Object.keys(POST_INPUTS),
  ...GET_ENDPOINTS,
  ...PROVIDER_IDS.map((provider) => `pay_${provider}`),
  'payment_return',
  'payment_webhook',
  'message_webhook',
]
/**
 * Each function process takes a while to start, so the small attack skips endpoints that work like
 * others.
 */
export const FEW_ENDPOINTS = ENDPOINTS.filter((name) => !/^pay_(?!test$|stripe$)/.test(name))

const toFormBody = (fields: { [key: string]: Json }): Buffer =>
  Buffer.from(
    new URLSearchParams(
      Object.entries(fields).map(([name, value]): [string, string] => [
        toWellFormed(name),
        typeof value === 'string' ? toWellFormed(value) : toJsonText(value),
      ]),
    ).toString(),
  )

const toQueryString = (random: Random, fields: { [key: string]: Json }): string =>
  random.chance(0.2)
    ? random.pick([
        '?token[]=a&token[]=b',
        '?token[__proto__][x]=1',
        '?__proto__=1&constructor[prototype]=1',
        '?token=%zz',
        '?token=%00',
        '?' + 'a=1&'.repeat(2000),
        '?token=' + 'x'.repeat(9000),
        '?payment[a]=1',
        '??&&==',
      ])
    : `?${toFormBody(fields).toString()}`

const PATH_SUFFIXES = [
  '/',
  '//',
  '/..',
  '/%2e%2e',
  '/%00',
  '/%zz',
  '/a/b/c',
  ';x',
  '/__proto__',
  '//[',
]

const createCredentials = (
  random: Random,
  name: string,
  { kind, uid, token }: Attacker,
): { Authorization?: string } => {
  if (name.startsWith('googleapis-') && random.chance(0.6)) return { Authorization: MAPS_KEY }
  // The emulator does not verify a callable's token, so only plain endpoints get bad ones.
  if (kind === 'visitor' && name in POST_INPUTS && random.chance(0.3))
    return { Authorization: `Bearer ${random.pick(createBadTokens(uid ?? 'seed-admin'))}` }
  if (random.chance(0.01))
    return { Authorization: random.pick(['Basic x', 'Bearer', 'bearer ', 'x'.repeat(7000)]) }
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

const findInput = (
  inputs: Readonly<Record<string, InputFactory>>,
  name: string,
): InputFactory | undefined => inputs[name]

/** Returns a hostile request to a function endpoint. */
export const createEndpointRequest = (
  random: Random,
  name: string,
  attacker: Attacker,
  targets: Targets,
  port: number,
): HttpRequest => {
  const address = () => random.integer(1, 254)
  const headers: Record<string, string> = {
    // Uses a different address each time; otherwise the rate limits would refuse nearly all
    // requests.
    'X-Forwarded-For': `10.${address()}.${address()}.${address()}`,
    ...createCredentials(random, name, attacker),
    ...(random.chance(0.05) && { Origin: random.pick(['https://evil.example', 'null', '*']) }),
  }
  let path = `/${PROJECT}/us-central1/${name}`
  if (random.chance(0.03)) path += random.pick(PATH_SUFFIXES)
  const wrong = random.chance(0.04)
    ? random.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'PROPFIND'])
    : undefined
  if ((GET_ENDPOINTS as readonly string[]).includes(name)) {
    const fields = corruptValue(random, {
      token: random.pick([targets.share(random), pickHostileText(random)]),
    })
    return {
      port,
      method: wrong ?? 'GET',
      path: path + toQueryString(random, toFields(fields)),
      headers,
    }
  }
  const callable = findInput(CALLABLE_INPUTS, name)
  if (callable) {
    const data = callable(targets, random)
    const twisted = random.chance(0.25) ? data : corruptValue(random, data)
    const whole: Json = { data: twisted }
    const body = random.chance(0.05) ? corruptValue(random, whole) : whole
    const { bytes, type } = toRequestBody(random, body)
    return {
      port,
      method: wrong ?? 'POST',
      path,
      headers: addContentType(headers, type),
      body: bytes,
    }
  }
  const posted = findInput(POST_INPUTS, name)
  if (posted) {
    const data = posted(targets, random)
    const { bytes, type } = toRequestBody(
      random,
      random.chance(0.25) ? data : corruptValue(random, data),
    )
    return {
      port,
      method: wrong ?? 'POST',
      path,
      headers: addContentType(headers, type),
      body: bytes,
    }
  }
  return createPaymentRequest(
    random,
    name,
    { path, headers, port, ...(wrong && { method: wrong }) },
    targets,
  )
}

const addContentType = (headers: Record<string, string>, type: string | undefined) =>
  type === undefined ? headers : { ...headers, 'Content-Type': type }
const toFields = (value: Json): { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value }

const createPaymentRequest = (
  random: Random,
  name: string,
  begun: Omit<HttpRequest, 'method'> & { method?: string },
  targets: Targets,
): HttpRequest => {
  const { method = 'POST' } = begun
  if (name === 'payment_return') {
    const query = toQueryString(random, {
      payment: random.pick([targets.payment(random), pickHostileText(random)]),
      hint: pickHostileText(random),
      next: 'https://evil.example/',
    })
    const path = `${begun.path}/${random.pick(['test', 'paypal', '__proto__', 'constructor'])}${query}`
    return { ...begun, path, method: random.chance(0.5) ? 'GET' : method }
  }
  if (name === 'payment_webhook' || name === 'message_webhook') {
    const services = ['twilio', 'vonage', 'postmark', ...PROVIDER_IDS]
    const path = `${begun.path}/${random.pick([...services, '__proto__', '..'])}`
    const { bytes, type } = toRequestBody(
      random,
      corruptValue(random, {
        payment: targets.payment(random),
        status: 'paid',
        amount: 1,
        ref: 'x',
      }),
    )
    const headers = addContentType(
      { ...begun.headers, 'X-Signature': pickHostileText(random) },
      type,
    )
    return { ...begun, path, method, headers, body: bytes }
  }
  const form = corruptValue(random, {
    order_id: random.pick([
      targets.payment(random),
      targets.booking(random),
      pickHostileText(random),
    ]),
    // Anyone who knows both the order and its payer may open the payment page, so the attacker
    // knows only one of them.
    cust_id: targets.attacker(random),
    amount: '0.01',
    step: random.pick(['card', 'code', pickHostileText(random)]),
    choice: random.pick(['pay', 'decline', '__proto__']),
  })
  const headers = addContentType(begun.headers ?? {}, 'application/x-www-form-urlencoded')
  return { ...begun, method, headers, body: toFormBody(toFields(form)) }
}
