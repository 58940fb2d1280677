import type { DecodedIdToken } from 'firebase-admin/auth'
import { HttpsError, onCall } from 'firebase-functions/v2/https'
import type { CallableFunction } from 'firebase-functions/v2/https'
import type { GenericSchema } from 'valibot'
import type { Definition, Ports } from './definition'
import { answer } from './guard'
import { ipOf, MAX_BODY, REGION } from './http'
import { logCall, logFault } from './logs'
import { claimsOf } from './ports/firebaseAccounts'
import { codeOf, Refused } from './refused'

/** A definition as a Firebase callable: the only place that knows `HttpsError`. */
export const callable = <Schema extends GenericSchema, Output>(
  definition: Definition<Schema, Output>,
  ports: Ports,
): CallableFunction<unknown, Promise<Output>> => {
  const { config } = ports
  const cors = config.local
    ? /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/
    : [...config.origins]
  const secrets = config.local ? [] : [...(definition.secrets ?? [])]
  return onCall({ region: REGION, cors, secrets }, async (request) => {
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
}
