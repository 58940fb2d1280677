import { createHash, timingSafeEqual } from 'node:crypto'
import type { HttpsFunction, Request, Response } from 'firebase-functions/v2/https'
import { onRequest } from 'firebase-functions/v2/https'
import type { GenericSchema } from 'valibot'
import type { Config } from '../config'
import { isAllowedOrigin } from '../config'
import { httpOptions } from '../deployment'
import type { EndpointDefinition } from './endpointTypes'
import type { EndpointRequest } from './requestHandler'
import { handleRequest } from './requestHandler'
import { getClientIp, getForwardedHops, MAX_BODY_BYTES } from './http'
import { logCall, logError } from '../logs'
import { DomainException, fail, getHttpStatus } from '../domainException'
import type { Ports } from '../ports/ports'

type HttpMethod = 'GET' | 'POST'

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns true when the header is the configured `user:password`. Compares in constant time. */
export const isMapsBasicAuth = (
  authorization: string | undefined,
  { mapsBasicAuth }: Config,
): boolean => {
  const encoded = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined || mapsBasicAuth === null) return false
  return timingSafeEqual(
    sha256(Buffer.from(encoded, 'base64').toString('utf8')),
    sha256(mapsBasicAuth),
  )
}

/** Returns true when the header is the telephone system's key. Compares in constant time. */
export const isCallerKey = (key: string | undefined, { callerKey }: Config): boolean =>
  key !== undefined && callerKey !== null && timingSafeEqual(sha256(key), sha256(callerKey))

const parseBody = (request: Request): unknown => {
  if ((request.rawBody?.length ?? 0) > MAX_BODY_BYTES) fail('bad_input', 'body')
  const body: unknown = request.body
  // Pages that avoid a preflight request send JSON as text/plain.
  const text =
    typeof body === 'string' ? body : Buffer.isBuffer(body) ? body.toString('utf8') : null
  if (text === null) return body
  if (text === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    return fail('bad_input', 'body')
  }
}

const setCorsHeaders = (request: Request, response: Response, config: Config) => {
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

/**
 * Turns a definition into a plain JSON endpoint over HTTP that returns errors as `{error, key,
 * field}`.
 */
export const createHttpEndpoint = <Schema extends GenericSchema, Output>(
  definition: EndpointDefinition<Schema, Output>,
  ports: Ports,
  method: HttpMethod = 'POST',
): HttpsFunction => {
  const { config } = ports
  // We handle CORS ourselves (`cors: false`); the emulator would otherwise open the endpoint to
  // every page.
  const options = {
    ...httpOptions(definition.secrets),
    cors: false,
    invoker: 'public' as const,
  }
  return onRequest(options, async (request, response) => {
    const now = Date.now()
    setCorsHeaders(request, response, config)
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
      const input = method === 'GET' ? { ...request.query } : parseBody(request)
      const call = await toEndpointRequest(request, input, ports, now)
      uid = call.caller?.uid ?? null
      response.set('Cache-Control', 'no-store').json(await handleRequest(definition, call, ports))
    } catch (thrown) {
      if (thrown instanceof DomainException) {
        const { key, field, params } = thrown.error
        outcome = key
        response.status(getHttpStatus(key))
        response.json({
          ...params,
          error: field ? `${key}: ${field}` : key,
          key,
          ...(field && { field }),
        })
      } else {
        outcome = 'failed'
        logError(definition.name, thrown)
        response.status(500).json({ error: 'internal' })
      }
    } finally {
      const hops = getForwardedHops(request).length
      logCall({ name: definition.name, uid, outcome, ms: Date.now() - now, hops })
      await ports.refusals.count(outcome, now)
    }
  })
}

const toEndpointRequest = async (
  request: Request,
  input: unknown,
  ports: Ports,
  now: number,
): Promise<EndpointRequest> => {
  const authorization = request.get('authorization')
  const token = /^Bearer\s+(\S+)$/i.exec(authorization ?? '')?.[1]
  const caller = token === undefined ? null : await ports.accounts.verifyToken(token)
  // A token must be valid if it is sent: a caller who believes they are signed in must learn that
  // they are not.
  if (token !== undefined && !caller) fail('must_login')
  return {
    input,
    caller,
    hasMapsBasicAuth: isMapsBasicAuth(authorization, ports.config),
    hasCallerKey: isCallerKey(request.get('x-kerbside-key'), ports.config),
    ip: getClientIp(request),
    now,
  }
}
