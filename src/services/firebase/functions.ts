import {
  type Functions,
  connectFunctionsEmulator,
  getFunctions,
  httpsCallable,
} from 'firebase/functions'
import type { Refusal } from '~/domain/errors'
import { config, visitorsMapKey } from '../config'
import { onceMade } from '../onceMade'
import { type FunctionsPort, ServiceError } from '../services'
import { firebaseApp } from './app'
import { firebaseAuth, idToken } from './auth'

const firebaseFunctions = onceMade(async (): Promise<Functions> => {
  const { emulators } = await config()
  const functions = getFunctions(await firebaseApp())
  if (emulators)
    connectFunctionsEmulator(functions, emulators.functions.host, emulators.functions.port)
  // The callable's token comes from here: an unopened session would make everybody a visitor.
  await (await firebaseAuth()).authStateReady()
  return functions
})

/** A refusal as the server sends it: what fills its text stands beside the key. */
interface SentRefusal {
  key?: string
  field?: string
  [param: string]: string | number | undefined
}
const received = (
  { key: _, field, ...params }: SentRefusal,
  message: string,
): Partial<Refusal> => ({
  params: { message, ...(params as Refusal['params']) },
  ...(field && { field }),
})

interface CallableFailure {
  code?: string
  message?: string
  details?: SentRefusal
}
/** What a failed callable means when it names no key of its own. */
const KEY_OF_CODE: Record<string, string> = {
  unauthenticated: 'must_login',
  'permission-denied': 'not_allowed',
  'not-found': 'not_found',
  'invalid-argument': 'bad_input',
  'resource-exhausted': 'too_many_requests',
}

const plain = async <Answer>(name: string, request: RequestInit): Promise<Answer> => {
  const settings = await config()
  const token = await idToken()
  const authorization = token ? `Bearer ${token}` : visitorsMapKey(settings)
  const response = await fetch(`${settings.functionsUrl}/${name}`, {
    ...request,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
  }).catch((error: unknown) => {
    throw new ServiceError('unavailable', 'unavailable', String(error))
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const { error, ...sent } = (body ?? {}) as SentRefusal
    const message = typeof error === 'string' ? error : `${name}: ${response.status}`
    const told = sent.key ?? (response.status === 429 ? 'too_many_requests' : 'call_failed')
    throw new ServiceError(`http/${response.status}`, told, message, received(sent, message))
  }
  return body as Answer
}

export const functionsPort: FunctionsPort = {
  async call<Answer>(name: string, input: unknown) {
    try {
      return (await httpsCallable(await firebaseFunctions(), name)(input)).data as Answer
    } catch (error) {
      const { code = 'unknown', message = '', details = {} } = error as CallableFailure
      const short = code.replace('functions/', '')
      const key = details.key ?? KEY_OF_CODE[short] ?? 'call_failed'
      throw new ServiceError(short, key, message, received(details, message))
    }
  },
  post: (name, body) => plain(name, { method: 'POST', body: JSON.stringify(body) }),
  get: (name) => plain(name, { method: 'GET' }),
}
