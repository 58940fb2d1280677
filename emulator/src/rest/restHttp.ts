import { constants, isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  impersonate,
  actorFromBearerToken,
  actorFromIdToken,
  ANONYMOUS_ACTOR,
  parseJson,
} from '../auth'
import type { Actor } from '../auth'
import { createCorsHeaders, findForeignOrigin, assertLocalOrigin } from '../origin'
import { invalidDataError, RequestError } from '../requestError'
import { writeJson } from '../tree/nodeJson'
import type { JsonForm } from '../tree/nodeJson'
import type { Node } from '../tree/node'

/** An HTTP request with its parsed URL. */
export interface RestRequest {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The sent method, or the one in `X-HTTP-Method-Override`. */
  readonly method: string
  /** The keys of the path without `.json`. */
  readonly keys: readonly string[]
  readonly params: URLSearchParams
}

/** The response: a text, a part of the tree, or nothing. */
export interface RestResponse {
  readonly status: number
  readonly body: string | { readonly node: Node | null; readonly form: JsonForm } | null
  readonly headers?: Readonly<Record<string, string>>
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export const jsonResponse = (value: unknown, status = 200): RestResponse => ({
  status,
  body: JSON.stringify(value),
})

export const errorResponse = ({ http, message }: RequestError): RestResponse =>
  jsonResponse({ error: message }, http)

const MAX_BODY_BYTES = 256 * 1024 * 1024

/** The size limits of a write by the name that clients use, in bytes of JSON. */
const WRITE_LIMITS = new Map([
  ['tiny', 1],
  ['small', 10],
  ['medium', 30],
  ['large', 60],
  ['unlimited', Infinity],
])

/** Returns the maximum bytes this request may write. Throws a refusal for an unknown limit. */
export const parseWriteLimit = (params: URLSearchParams): number => {
  const name = params.get('writeSizeLimit')
  if (name === null) return MAX_BODY_BYTES
  const megabytes = WRITE_LIMITS.get(name)
  if (megabytes === undefined) {
    throw invalidDataError('writeSizeLimit must be one of tiny, small, medium, large, unlimited')
  }
  return Math.min(megabytes * 1024 * 1024, constants.MAX_STRING_LENGTH)
}

const PRINT_OPTIONS = ['pretty', 'silent']
const TIMEOUT_UNIT_MS = new Map([
  ['ms', 1],
  ['s', 1000],
  ['min', 60_000],
])
const MAX_TIMEOUT_MS = 15 * 60_000

/** Throws a refusal when `print` or `timeout` has a value that the service does not support. */
export const assertKnownParams = (params: URLSearchParams): void => {
  const print = params.get('print')
  if (print !== null && !PRINT_OPTIONS.includes(print))
    throw invalidDataError("print must be 'pretty' or 'silent'")
  const timeout = params.get('timeout')
  if (timeout === null) return
  const [, amount, unit = ''] = /^([0-9]{1,9})(ms|s|min)$/.exec(timeout) ?? []
  const ms = Number(amount) * (TIMEOUT_UNIT_MS.get(unit) ?? NaN)
  if (!(ms > 0 && ms <= MAX_TIMEOUT_MS)) {
    throw invalidDataError('timeout must be a number with a unit of ms, s or min, at most 15min')
  }
}

const bodyTooLargeError = () =>
  new RequestError(
    'too_big',
    'Data to write exceeds the maximum size that can be modified with a single request.',
    413,
  )

/** Reads the request's body as text. Throws a refusal when it is too long or not UTF-8. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // Reads the rest as well, so that the client receives the response instead of a reset.
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  if (length > limit) throw bodyTooLargeError()
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw invalidDataError('Invalid data; the body is not valid UTF-8.')
  return bytes.toString()
}

/** Parses a request's JSON. Throws a refusal with the text of the original. */
export const parseJsonBody = (text: string): unknown => {
  const value = parseJson(text)
  if (value === undefined) {
    throw invalidDataError("Invalid data; couldn't parse JSON object, array, or value.")
  }
  return value
}

/**
 * Returns the actor of a request. Throws an InvalidCredentialError for an invalid token, and a
 * refusal for a token from a foreign page.
 */
export const authenticate = ({ request, params }: RestRequest): Actor => {
  const override = params.get('auth_variable_override')
  const acting = (actor: Actor) =>
    override === null ? actor : impersonate(actor, parseJson(override) ?? null)
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = bearer ?? params.get('access_token')
  const auth = params.get('auth')
  if (token || auth) assertLocalOrigin(findForeignOrigin(request))
  if (token) return acting(actorFromBearerToken(token))
  return auth ? acting(actorFromIdToken(auth)) : ANONYMOUS_ACTOR
}

/** Responds to a CORS preflight request. */
export const handlePreflight = ({ request, response }: RestRequest): void => {
  if (findForeignOrigin(request) !== null) {
    response.writeHead(403, { ...createCorsHeaders(request), 'Content-Length': '0' })
    response.end()
    return
  }
  response.writeHead(200, {
    ...createCorsHeaders(request),
    'Access-Control-Allow-Methods': 'GET, PUT, POST, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
    'Access-Control-Max-Age': '3600',
    'Content-Length': '0',
  })
  response.end()
}

const CALLBACK_NAME = /^[A-Za-z_$][\w$.]{0,127}$/

const applyParams = (reply: RestResponse, params: URLSearchParams): RestResponse => {
  if (params.get('print') !== 'pretty' || reply.body === null) return reply
  const text = bodyToText(reply.body)
  return { ...reply, body: JSON.stringify(JSON.parse(text), null, 2) }
}

const bodyToText = (body: NonNullable<RestResponse['body']>): string => {
  if (typeof body === 'string') return body
  const pieces: string[] = []
  writeJson(body.node, body.form, (piece) => pieces.push(piece))
  return pieces.join('')
}

/** Sends a response in the form that `print`, `callback` and `download` specify. */
export const sendResponse = (
  { request, response, method, params }: RestRequest,
  reply: RestResponse,
): void => {
  if (response.headersSent || response.destroyed) return
  const headers: Record<string, string> = {
    ...createCorsHeaders(request),
    'Cache-Control': 'no-cache',
    ...reply.headers,
  }
  const { body } = applyParams(reply, params)
  if (body === null) {
    response.writeHead(reply.status, headers)
    response.end()
    return
  }
  headers['Content-Type'] ??= JSON_TYPE
  const download = params.get('download')
  if (download !== null && reply.status === 200) {
    headers['Content-Disposition'] =
      `attachment; filename="${download.replace(/[^\w.-]/g, '_') || 'export.json'}"`
  }
  const callback = params.get('callback')
  if (callback !== null && method === 'GET' && CALLBACK_NAME.test(callback)) {
    headers['Content-Type'] = 'application/javascript; charset=utf-8'
    // Script tags cannot read a status, so errors arrive as 200 with the error in the body.
    response.writeHead(200, headers)
    response.end(`/**/${callback}(${bodyToText(body)});`)
    return
  }
  if (typeof body === 'string') {
    response.writeHead(reply.status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
    return
  }
  const pieces: Buffer[] = []
  writeJson(body.node, body.form, (piece) => pieces.push(Buffer.from(piece)))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  response.writeHead(reply.status, { ...headers, 'Content-Length': length })
  for (const piece of pieces) response.write(piece)
  response.end()
}
