import { getTextAt, type Json } from '../payments/providerHttp'
import type { OutgoingMessage, SendOutcome } from '../../ports/messages'
import type { Milliseconds } from '~/domain/language/units'

/** The connection to one service for one channel. */
export interface MessageAdapter {
  /** May reject; the caller then tries again later. */
  send(message: OutgoingMessage): Promise<SendOutcome>
  /** Only services that can be asked for the messages that they took. */
  find?(message: OutgoingMessage, since: number): Promise<string | null>
}

export interface AdapterDeps {
  fetch: typeof fetch
  now: () => number
}

/** A reply of a service. */
export interface ServiceReply {
  status: number
  json: Json
  /** The pause that the service asks for, ms. */
  afterMs?: Milliseconds
}

const TIMEOUT_MS = 10_000

/** Returns the pause of a Retry-After header, which has seconds or a date. */
const parseRetryAfter = (header: string | null, now: number): number | undefined => {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

/** Sends one request to a service. Rejects when there is no reply. */
export const callService = async (
  { fetch: fetcher, now }: AdapterDeps,
  url: string,
  {
    json,
    form,
    headers,
  }: { json?: object; form?: Record<string, string>; headers: Record<string, string> },
): Promise<ServiceReply> => {
  const body = json ? JSON.stringify(json) : form && new URLSearchParams(form).toString()
  const type = json ? 'application/json' : 'application/x-www-form-urlencoded'
  const response = await fetcher(url, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { Accept: 'application/json', ...(body && { 'Content-Type': type }), ...headers },
    ...(body !== undefined && { body }),
  })
  const afterMs = parseRetryAfter(response.headers.get('retry-after'), now())
  const text = await response.text()
  let parsed: Json = null
  try {
    parsed = JSON.parse(text) as Json
  } catch {
    // A proxy between us and the service answers with a page: the status decides.
  }
  return { status: response.status, json: parsed, ...(afterMs !== undefined && { afterMs }) }
}

/** Sends a query to a service. Rejects when the reply has no answer. */
export const queryService = async (
  deps: AdapterDeps,
  url: string,
  headers: Record<string, string>,
): Promise<Json> => {
  const { status, json } = await callService(deps, url, { headers })
  if (status !== 200) throw new Error(`The message service returned status ${status}.`)
  return json
}

/** Statuses that say nothing about the message: our keys are wrong, or the service is busy. */
const isTemporary = (status: number): boolean =>
  status >= 500 || [401, 403, 404, 408, 409, 423, 425, 429].includes(status)

/** Returns the outcome of a refusal by its status and the service's code. */
export const toRefusal = (
  service: string,
  { status, json, afterMs }: ServiceReply,
  codePath: string,
): Exclude<SendOutcome, { state: 'sent' }> => {
  const why = `${service}_${getTextAt(json, codePath) || status}`
  return isTemporary(status)
    ? { state: 'retry', why, ...(afterMs !== undefined && { afterMs }) }
    : { state: 'rejected', why }
}
