import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpsFunction, Request, Response } from 'firebase-functions/v2/https'
import { onRequest } from 'firebase-functions/v2/https'
import type { GenericSchema } from 'valibot'
import type { Config } from './config'
import { isAllowedOrigin } from './config'
import type { Definition, Ports } from './definition'
import type { Call } from './guard'
import { answer } from './guard'
import { ipOf, MAX_BODY, REGION } from './http'
import { logCall, logFault } from './logs'
import { Refused, refuse, statusOf } from './refused'

type Method = 'GET' | 'POST'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Whether the header is the configured `user:password`, compared in constant time. */
export const isMapsKey = (
  authorization: string | undefined,
  { mapsBasicAuth }: Config,
): boolean => {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined || mapsBasicAuth === null) return false
  return timingSafeEqual(
    digest(Buffer.from(encoded, 'base64').toString('utf8')),
    digest(mapsBasicAuth),
  )
}

const bodyOf = (request: Request): unknown => {
  if ((request.rawBody?.length ?? 0) > MAX_BODY) refuse('bad_input', 'body')
  const body: unknown = request.body
  // Pages that avoid a preflight send JSON as text/plain.
  const text =
    typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString('utf8') : null
  if (text === null) return body
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return refuse('bad_input', 'body')
  }
}

const allowOrigin = (request: Request, response: Response, config: Config) => {
  const origin = request.get('origin')
  response.set('Vary', 'Origin')
  if (origin === undefined || !isAllowedOrigin(origin, config)) return
  response.set({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type',
    'Access-Control-Max-Age': '3600',
  })
}

/** A definition as plain JSON over HTTP, answering errors as `{error, key, field}`. */
export const endpoint = <Schema extends GenericSchema, Output>(
  definition: Definition<Schema, Output>,
  ports: Ports,
  method: Method = 'POST',
): HttpsFunction => {
  const { config } = ports
  const secrets = config.local ? [] : [...(definition.secrets ?? [])]
  // CORS is ours (`cors: false`): the emulator would otherwise open it to every page.
  const options = { region: REGION, cors: false, invoker: 'public' as const, secrets }
  return onRequest(options, async (request, response) => {
    const now = Date.now()
    allowOrigin(request, response, config)
    response.set('X-Content-Type-Options', 'nosniff')
    if (request.method === 'OPTIONS') {
      response.status(204).end()
      return
    }
    if (request.method !== method) {
      response.set('Allow', `${method}, OPTIONS`).status(405)
      response.json({ error: 'method_not_allowed', key: 'bad_input', field: 'method' })
      return
    }
    let outcome = 'ok'
    let uid: string | null = null
    try {
      const input = method === 'GET' ? { ...request.query } : bodyOf(request)
      const call = await callOf(request, input, ports, now)
      uid = call.caller?.uid ?? null
      response.set('Cache-Control', 'no-store').json(await answer(definition, call, ports))
    } catch (thrown) {
      if (thrown instanceof Refused) {
        const { key, field, params } = thrown.refusal
        outcome = key
        response.status(statusOf(key))
        response.json({
          ...params,
          error: field ? `${key}: ${field}` : key,
          key,
          ...(field && { field }),
        })
      } else {
        outcome = 'failed'
        logFault(definition.name, thrown)
        response.status(500).json({ error: 'internal' })
      }
    } finally {
      logCall({ name: definition.name, uid, outcome, ms: Date.now() - now })
    }
  })
}

const callOf = async (
  request: Request,
  input: unknown,
  ports: Ports,
  now: number,
): Promise<Call> => {
  const authorization = request.get('authorization')
  const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  const caller = token === undefined ? null : await ports.accounts.verify(token)
  // A token that is sent must be good: a caller who believes he is signed in must learn that he is not.
  if (token !== undefined && !caller) refuse('must_login')
  return { input, caller, mapsKey: isMapsKey(authorization, ports.config), ip: ipOf(request), now }
}
