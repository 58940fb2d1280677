import { constants, isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { actingAs, actorOfBearer, actorOfToken, NOBODY, parseJson } from '../auth'
import type { Actor } from '../auth'
import { invalid, Refusal } from '../refusal'
import { writeJson } from '../tree/json'
import type { Form } from '../tree/json'
import type { Node } from '../tree/node'

/** One HTTP request, its address taken apart. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As sent, or as `X-HTTP-Method-Override` says. */
  readonly method: string
  /** The keys of the path without `.json`. */
  readonly keys: readonly string[]
  readonly params: URLSearchParams
}

/** What is answered: a text, a part of the tree, or nothing. */
export interface Reply {
  readonly status: number
  readonly body: string | { readonly node: Node | null; readonly form: Form } | null
  readonly headers?: Readonly<Record<string, string>>
}

export const JSON_TYPE = 'application/json; charset=utf-8'

export const jsonReply = (value: unknown, status = 200): Reply => ({
  status,
  body: JSON.stringify(value),
})

export const errorReply = ({ http, message }: Refusal): Reply => jsonReply({ error: message }, http)

const MAX_BODY = 256 * 1024 * 1024

/** A write's size limit by the name clients give it, in bytes of JSON. */
const WRITE_LIMITS = new Map([
  ['tiny', 1],
  ['small', 10],
  ['medium', 30],
  ['large', 60],
  ['unlimited', Infinity],
])

/** The most bytes this request may write; throws a refusal for an unknown limit. */
export const writeLimit = (params: URLSearchParams): number => {
  const name = params.get('writeSizeLimit')
  if (name === null) return MAX_BODY
  const megabytes = WRITE_LIMITS.get(name)
  if (megabytes === undefined) {
    throw invalid('writeSizeLimit must be one of tiny, small, medium, large, unlimited')
  }
  return Math.min(megabytes * 1024 * 1024, constants.MAX_STRING_LENGTH)
}

const tooLarge = () =>
  new Refusal(
    'too_big',
    'Data to write exceeds the maximum size that can be modified with a single request.',
    413,
  )

/** The request's body as text; throws a refusal when it is too long or no UTF-8. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    // The rest is still read, so that the client hears the answer instead of a reset.
    if (length <= limit) chunks.push(chunk)
    else chunks.length = 0
  }
  if (length > limit) throw tooLarge()
  const bytes = Buffer.concat(chunks)
  if (!isUtf8(bytes)) throw invalid('Invalid data; the body is not valid UTF-8.')
  return bytes.toString()
}

/** Parses a request's JSON; throws the refusal the original words. */
export const jsonBody = (text: string): unknown => {
  const value = parseJson(text)
  if (value === undefined) {
    throw invalid("Invalid data; couldn't parse JSON object, array, or value.")
  }
  return value
}

/** Who makes the request; throws a CredentialError for a token that is none. */
export const actorOf = ({ request, params }: Call): Actor => {
  const override = params.get('auth_variable_override')
  const acting = (actor: Actor) =>
    override === null ? actor : actingAs(actor, parseJson(override) ?? null)
  const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1]
  const token = bearer ?? params.get('access_token')
  if (token) return acting(actorOfBearer(token))
  const auth = params.get('auth')
  return auth ? acting(actorOfToken(auth)) : NOBODY
}

const cors = (request: IncomingMessage): Record<string, string> => ({
  'Access-Control-Allow-Origin': request.headers.origin ?? '*',
  'Access-Control-Expose-Headers': 'ETag',
  Vary: 'Origin',
})

/** The answer to a browser that asks what it may ask. */
export const preflight = ({ request, response }: Call): void => {
  response.writeHead(200, {
    ...cors(request),
    'Access-Control-Allow-Methods': 'GET, PUT, POST, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      request.headers['access-control-request-headers'] ?? 'Authorization, Content-Type',
    'Access-Control-Max-Age': '3600',
    'Content-Length': '0',
  })
  response.end()
}

const CALLBACK = /^[A-Za-z_$][\w$.]{0,127}$/

const shaped = (reply: Reply, params: URLSearchParams): Reply => {
  if (params.get('print') !== 'pretty' || reply.body === null) return reply
  const text = textOf(reply.body)
  return { ...reply, body: JSON.stringify(JSON.parse(text), null, 2) }
}

const textOf = (body: NonNullable<Reply['body']>): string => {
  if (typeof body === 'string') return body
  const pieces: string[] = []
  writeJson(body.node, body.form, (piece) => pieces.push(piece))
  return pieces.join('')
}

/** Sends an answer the way the request's `print`, `callback` and `download` ask for it. */
export const send = ({ request, response, method, params }: Call, reply: Reply): void => {
  if (response.headersSent || response.destroyed) return
  const headers: Record<string, string> = {
    ...cors(request),
    'Cache-Control': 'no-cache',
    ...reply.headers,
  }
  const { body } = shaped(reply, params)
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
  if (callback !== null && method === 'GET' && CALLBACK.test(callback)) {
    headers['Content-Type'] = 'application/javascript; charset=utf-8'
    // Script tags can't read a status, so errors come as 200 with the error inside.
    response.writeHead(200, headers)
    response.end(`/**/${callback}(${textOf(body)});`)
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
