import { type Functions, getFunctions, httpsCallableFromURL } from 'firebase/functions'
import type { EndpointInput, EndpointName, EndpointOutput } from '~/domain/api/api'
import type { DomainError } from '~/domain/api/errors'
import { loadConfig } from '../config'
import { getEndpointUrl, getVisitorMapAuthorization } from '../endpointAccess'
import { lazySingleton } from '../lazySingleton'
import { type FunctionsPort, ServiceError } from '../services'
import { getFirebaseApp } from './app'
import { getFirebaseAuth, getIdToken } from './auth'
import { repeatDuringUpdate } from './updateRetry'

const getFirebaseFunctions = lazySingleton(async (): Promise<Functions> => {
  const functions = getFunctions(await getFirebaseApp())
  // The callable reads its token from here; before the session is restored, everyone would be a
  // visitor.
  await (await getFirebaseAuth()).authStateReady()
  return functions
})

/** A refusal as sent by the server: its key, field and text parameters. */
interface DomainErrorPayload {
  key?: string
  field?: string
  [param: string]: string | number | undefined
}
const toErrorDetails = (
  { key: _, field, ...params }: DomainErrorPayload,
  message: string,
): Partial<DomainError> => ({
  params: { message, ...(params as DomainError['params']) },
  ...(field && { field }),
})

interface CallableFailure {
  code?: string
  message?: string
  details?: DomainErrorPayload
}
/** Error keys of failed callables that name no key themselves. */
const ERROR_KEY_BY_CODE: Record<string, string> = {
  unauthenticated: 'must_login',
  'permission-denied': 'not_allowed',
  'not-found': 'not_found',
  'invalid-argument': 'bad_input',
  'resource-exhausted': 'too_many_requests',
}

const requestEndpoint = async <Name extends EndpointName>(
  name: Name,
  request: RequestInit,
  query = '',
): Promise<EndpointOutput<Name>> => {
  const settings = await loadConfig()
  const token = await getIdToken()
  const authorization = token ? `Bearer ${token}` : getVisitorMapAuthorization(settings)
  const response = await fetch(`${getEndpointUrl(settings, name)}${query}`, {
    ...request,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
  }).catch((error: unknown) => {
    throw new ServiceError('unavailable', 'unavailable', String(error))
  })
  const body: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const { error, ...refusal } = (body ?? {}) as DomainErrorPayload
    const message = typeof error === 'string' ? error : `${name}: ${response.status}`
    const errorKey = refusal.key ?? (response.status === 429 ? 'too_many_requests' : 'call_failed')
    throw new ServiceError(
      `http/${response.status}`,
      errorKey,
      message,
      toErrorDetails(refusal, message),
    )
  }
  return body as EndpointOutput<Name>
}

const callEndpoint = async <Name extends EndpointName>(
  name: Name,
  input: EndpointInput<Name>,
): Promise<EndpointOutput<Name>> => {
  try {
    const url = getEndpointUrl(await loadConfig(), name)
    const call = httpsCallableFromURL<EndpointInput<Name>, EndpointOutput<Name>>(
      await getFirebaseFunctions(),
      url,
    )
    return (await call(input)).data
  } catch (error) {
    const { code = 'unknown', message = '', details = {} } = error as CallableFailure
    const short = code.replace('functions/', '')
    const key = details.key ?? ERROR_KEY_BY_CODE[short] ?? 'call_failed'
    throw new ServiceError(short, key, message, toErrorDetails(details, message))
  }
}

export const functionsPort: FunctionsPort = {
  call: (name, input, onWait) => repeatDuringUpdate(() => callEndpoint(name, input), onWait),
  post: (name, body, onWait) =>
    repeatDuringUpdate(
      () => requestEndpoint(name, { method: 'POST', body: JSON.stringify(body) }),
      onWait,
    ),
  get: (name, query, onWait) =>
    repeatDuringUpdate(
      () => requestEndpoint(name, { method: 'GET' }, `?${new URLSearchParams(query).toString()}`),
      onWait,
    ),
}
