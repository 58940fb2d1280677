import type { DecodedIdToken } from 'firebase-admin/auth'
import { HttpsError, onCall } from 'firebase-functions/v2/https'
import type { CallableFunction, HttpsFunction } from 'firebase-functions/v2/https'
import type { GenericSchema } from 'valibot'
import { THIS_MACHINE } from './config'
import type { Definition, Ports } from './definition'
import { answer } from './guard'
import { ipOf, MAX_BODY, REGION } from './http'
import { logCall, logFault } from './logs'
import { claimsOf } from './ports/firebaseAccounts'
import { codeOf, Refused } from './refused'

const DEEPEST = 100
/** How clients of other languages send whole numbers. */
const LONG = 'type.googleapis.com/google.protobuf.Int64Value'
const UNSIGNED_LONG = 'type.googleapis.com/google.protobuf.UInt64Value'
const isWhole = (value: unknown): boolean => typeof value === 'string' && /^-?\d+$/.test(value)

/** Whether the platform can decode a value: it fails inside at types it does not know, and at depth. */
const isDecodable = (value: unknown, depth = DEEPEST): boolean => {
  if (typeof value !== 'object' || value === null) return true
  const { '@type': type, value: whole } = value as { '@type'?: unknown; value?: unknown }
  if (type) return (type === LONG || type === UNSIGNED_LONG) && isWhole(whole)
  return depth > 0 && Object.values(value).every((child) => isDecodable(child, depth - 1))
}

const isReadable = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  Object.keys(body).join() === 'data' &&
  isDecodable((body as { data: unknown }).data)

/** Gives the platform only bodies it can read: at others it fails inside, and it writes whole ones into the log. */
const readingWell = <Handler extends HttpsFunction>(handler: Handler): Handler =>
  new Proxy(handler, {
    apply: (inner, _, [request, response]: Parameters<HttpsFunction>) => {
      if (!isReadable(request.body)) request.body = undefined
      return inner(request, response)
    },
  })

/** A definition as a Firebase callable: the only place that knows `HttpsError`. */
export const callable = <Schema extends GenericSchema, Output>(
  definition: Definition<Schema, Output>,
  ports: Ports,
): CallableFunction<unknown, Promise<Output>> => {
  const { config } = ports
  const cors = config.local ? THIS_MACHINE : [...config.origins]
  const secrets = config.local ? [] : [...(definition.secrets ?? [])]
  const handler = onCall({ region: REGION, cors, secrets }, async (request) => {
    const now = Date.now()
    let outcome = 'ok'
    const uid = request.auth?.uid ?? null
    try {
      if (request.rawRequest.rawBody.length > MAX_BODY) {
        throw new Refused({ key: 'bad_input', field: 'body' })
      }
      const input: unknown = request.data
      const caller = request.auth ? claimsOf(request.auth.token as DecodedIdToken) : null
      const call = { input, caller, mapsKey: false, ip: ipOf(request.rawRequest), now }
      return await answer(definition, call, ports)
    } catch (thrown) {
      if (thrown instanceof Refused) {
        const { key, field, params } = thrown.refusal
        outcome = key
        throw new HttpsError(codeOf(key), key, { ...params, key, ...(field && { field }) })
      }
      outcome = 'failed'
      logFault(definition.name, thrown)
      throw new HttpsError('internal', 'internal')
    } finally {
      logCall({ name: definition.name, uid, outcome, ms: Date.now() - now })
    }
  })
  return readingWell(handler)
}
