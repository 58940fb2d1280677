import { Forged, ProviderFault } from './adapter'

const TIMEOUT_MS = 15_000

/** Any JSON, to be looked into with `read`. */
export type Json = unknown

/** The value at a path such as `data.object.id`; undefined when the way does not lead there. */
export const read = (json: Json, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[key]
          : undefined,
      json,
    )

/** As `read`; numbers become text, anything else but text becomes ''. */
export const textAt = (json: Json, path: string): string => {
  const value = read(json, path)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** The message as JSON; forged when it is none (a truncated one, say). */
export const jsonOf = (body: Buffer | string): Json => {
  try {
    return JSON.parse(body.toString()) as Json
  } catch {
    throw new Forged('The message is no JSON.')
  }
}

/** The form a message consists of. */
export const formOf = (body: Buffer): URLSearchParams => new URLSearchParams(body.toString('utf8'))

export interface Reply {
  status: number
  ok: boolean
  json: Json
  text: string
}

/** One request to a provider. Faults of the network and of the provider's own (5xx) throw `ProviderFault`. */
export const talk = async (
  fetcher: typeof fetch,
  url: string,
  init: RequestInit & { json?: unknown; form?: Record<string, string> } = {},
): Promise<Reply> => {
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
  try {
    response = await fetcher(url, {
      method: body === undefined || body === null ? 'GET' : 'POST',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...rest,
      headers: { Accept: 'application/json', ...(type && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body }),
    })
  } catch (cause) {
    throw new ProviderFault('The provider can’t be reached.', { cause })
  }
  const text = await response.text()
  if (response.status >= 500) throw new ProviderFault(`The provider answered ${response.status}.`)
  let parsed: Json = null
  try {
    parsed = text === '' ? null : (JSON.parse(text) as Json)
  } catch {
    // Some answer in plain text: `text` has it.
  }
  return { status: response.status, ok: response.ok, json: parsed, text }
}

/** As `talk`, for what must succeed: any refusal is a fault, named without the provider's own words. */
export const talkOrFail = async (...args: Parameters<typeof talk>): Promise<Reply> => {
  const reply = await talk(...args)
  if (!reply.ok) throw new ProviderFault(`The provider refused: ${reply.status}.`)
  return reply
}

export const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
export const basic = (user: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
