import { HttpsError, onCall } from 'firebase-functions/v2/https'
import type { CallableFunction, HttpsFunction } from 'firebase-functions/v2/https'
import type { GenericSchema } from 'valibot'
import { LOCALHOST_ORIGIN } from '../config'
import { httpOptions } from '../deployment'
import type { EndpointDefinition } from './endpointTypes'
import { handleRequest } from './requestHandler'
import { getClientIp, MAX_BODY_BYTES } from './http'
import { logCall, logError } from '../logs'
import { getErrorCode, DomainException } from '../domainException'
import type { Ports } from '../ports/ports'

const MAX_DEPTH = 100
/** The type under which clients in other languages send whole numbers. */
const INT64_TYPE = 'type.googleapis.com/google.protobuf.Int64Value'
const UINT64_TYPE = 'type.googleapis.com/google.protobuf.UInt64Value'
const isIntegerText = (value: unknown): boolean =>
  typeof value === 'string' && /^-?\d+$/.test(value)

/**
 * Returns true when the platform can decode a value. The platform fails internally on unknown types
 * and on deep nesting.
 */
const isDecodable = (value: unknown, depth = MAX_DEPTH): boolean => {
  if (typeof value !== 'object' || value === null) return true
  const { '@type': type, value: whole } = value as { '@type'?: unknown; value?: unknown }
  if (type) return (type === INT64_TYPE || type === UINT64_TYPE) && isIntegerText(whole)
  return depth > 0 && Object.values(value).every((child) => isDecodable(child, depth - 1))
}

const isValidCallableBody = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.keys(body).join() === 'data' &&
  isDecodable((body as { data: unknown }).data)

/**
 * Passes only readable bodies to the platform. On other bodies it fails internally and logs them in
 * full.
 */
const rejectMalformedBodies = <Handler extends HttpsFunction>(handler: Handler): Handler =>
  new Proxy(handler, {
    apply: (inner, _, [request, response]: Parameters<HttpsFunction>) => {
      if (!isValidCallableBody(request.body)) request.body = undefined
      return inner(request, response)
    },
  })

/** Turns a definition into a Firebase callable. This is the only place that knows `HttpsError`. */
export const createCallable = <Schema extends GenericSchema, Output>(
  definition: EndpointDefinition<Schema, Output>,
  ports: Ports,
): CallableFunction<unknown, Promise<Output>> => {
  const { config } = ports
  const cors = config.isLocal ? LOCALHOST_ORIGIN : [...config.allowedOrigins]
  const options = { ...httpOptions(definition.secrets), cors }
  const handler = onCall(options, async (request) => {
    const now = Date.now()
    let outcome = 'ok'
    const uid = request.auth?.uid ?? null
    try {
      if (request.rawRequest.rawBody.length > MAX_BODY_BYTES) {
        throw new DomainException({ key: 'bad_input', field: 'body' })
      }
      const input: unknown = request.data
      const caller = request.auth ? ports.accounts.readToken(request.auth.token) : null
      const call = {
        input,
        caller,
        hasMapsBasicAuth: false,
        ip: getClientIp(request.rawRequest),
        now,
      }
      return await handleRequest(definition, call, ports)
    } catch (thrown) {
      if (thrown instanceof DomainException) {
        const { key, field, params } = thrown.error
        outcome = key
        throw new HttpsError(getErrorCode(key), key, { ...params, key, ...(field && { field }) })
      }
      outcome = 'failed'
      logError(definition.name, thrown)
      throw new HttpsError('internal', 'internal')
    } finally {
      logCall({ name: definition.name, uid, outcome, ms: Date.now() - now })
      await ports.refusals.count(outcome, now)
    }
  })
  return rejectMalformedBodies(handler)
}
