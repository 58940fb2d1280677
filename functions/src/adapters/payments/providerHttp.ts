import { DAY_MS } from '~/domain/language/timeUnits'
import { toCurrencyMinorUnits } from '~/domain/payments/currencyUnits'
import {
  InvalidSignatureError,
  ProviderError,
  ProviderRejectedError,
} from '../../ports/paymentAdapter'
import type { Milliseconds } from '~/domain/language/units'

const TIMEOUT_MS = 15_000

/** Any JSON; read it with `getValueAt`. */
export type Json = unknown

/**
 * Returns the value at a path such as `data.object.id`, or undefined when the path does not exist.
 */
export const getValueAt = (json: Json, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[key]
          : undefined,
      json,
    )

/** Like `getValueAt`, but returns text: numbers become text, and other values become ''. */
export const getTextAt = (json: Json, path: string): string => {
  const value = getValueAt(json, path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/**
 * Parses the message as JSON. Throws `InvalidSignatureError` when it is not JSON, for example
 * because it was truncated.
 */
export const parseJson = (body: Buffer | string): Json => {
  try {
    return JSON.parse(body.toString()) as Json
  } catch {
    throw new InvalidSignatureError('The message is not JSON.')
  }
}

/** Returns the list at a path, or an empty list when there is none. */
export const getListAt = (json: Json, path: string): Json[] => {
  const value = getValueAt(json, path)
  return Array.isArray(value) ? (value as Json[]) : []
}

/** Like `getListAt`, but throws `ProviderError` when there is none. */
export const getRequiredListAt = (json: Json, path: string, why: string): Json[] => {
  if (!Array.isArray(getValueAt(json, path))) throw new ProviderError(why)
  return getListAt(json, path)
}

/** Returns the amount at a path in minor units; NaN when it is no amount of the currency. */
export const getMinorAt = (json: Json, path: string, currency: string): number =>
  toCurrencyMinorUnits(getTextAt(json, path), currency) ?? NaN

/** Returns the address of the provider's payment page at a path. */
export const getPageUrlAt = (json: Json, path: string, provider: string): string => {
  const url = getTextAt(json, path)
  if (!url.startsWith('https://')) throw new ProviderError(`${provider} returned no payment page.`)
  return url
}

/**
 * Returns the days (yyyy-mm-dd) between which a provider lists what belongs to a payment. One extra
 * day at each end covers every time zone.
 */
export const getSearchDays = (createdAt: number, now: number): { from: string; to: string } => {
  const toDay = (ms: Milliseconds) => new Date(ms).toISOString().slice(0, 10)
  return { from: toDay(createdAt - DAY_MS), to: toDay(now + DAY_MS) }
}

/** Parses a message's body as a form. */
export const parseForm = (body: Buffer): URLSearchParams =>
  new URLSearchParams(body.toString('utf8'))

export interface HttpResponse {
  status: number
  isOk: boolean
  json: Json
  text: string
}

/**
 * Sends one request to a provider. Throws `ProviderError` on network failures and on the provider's
 * own errors (5xx).
 */
export const request = async (
  fetcher: typeof fetch,
  url: string,
  init: RequestInit & { json?: unknown; form?: Record<string, string> } = {},
): Promise<HttpResponse> => {
  const { json, form, headers, ...rest } = init
  const body =
    json !== undefined
      ? JSON.stringify(json)
      : form !== undefined
        ? new URLSearchParams(form).toString()
        : rest.body
  const type =
    json !== undefined
      ? 'application/json'
      : form !== undefined
        ? 'application/x-www-form-urlencoded'
        : undefined
  let response: Response
  let text: string
  try {
    response = await fetcher(url, {
      method: body === undefined || body === null ? 'GET' : 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...rest,
      headers: { Accept: 'application/json', ...(type && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body }),
    })
    text = await response.text()
  } catch (cause) {
    throw new ProviderError('The provider cannot be reached. The request is repeated later.', {
      cause,
    })
  }
  if (response.status >= 500)
    throw new ProviderError(`The provider returned status ${response.status}.`)
  let parsed: Json = null
  try {
    parsed = text === '' ? null : (JSON.parse(text) as Json)
  } catch {
    // Some answer in plain text: `text` has it.
  }
  return { status: response.status, isOk: response.ok, json: parsed, text }
}

/** Statuses that are not a refusal: the provider was too slow, or is busy with the same request. */
const AMBIGUOUS_STATUSES = new Set([408, 409, 423, 425])

/** Throws on any refusal. The error does not contain the provider's own words. */
export const assertOk = (reply: HttpResponse): HttpResponse => {
  if (reply.isOk) return reply
  const why = `The provider refused: ${reply.status}.`
  throw AMBIGUOUS_STATUSES.has(reply.status) || reply.status < 400
    ? new ProviderError(why)
    : new ProviderRejectedError(why)
}

/** Like `request`, but throws on any refusal. */
export const requestOk = async (...args: Parameters<typeof request>): Promise<HttpResponse> =>
  assertOk(await request(...args))

/** Returns the transaction of a query; null when the provider has none (status 400 or 404). */
export const fetchTransaction = async (
  provider: string,
  ...args: Parameters<typeof request>
): Promise<Json> => {
  const { isOk, status, json } = await request(...args)
  if (!isOk && status !== 404 && status !== 400)
    throw new ProviderError(`${provider} refused the request with status ${status}.`)
  return isOk ? getValueAt(json, 'data') : null
}

export const createBearerHeader = (key: string) => ({ Authorization: `Bearer ${key}` })
export const createBasicHeader = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
