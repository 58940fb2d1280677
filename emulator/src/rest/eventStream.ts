import type { Listener } from '../listeners'
import type { Namespace } from '../namespace'
import type { SendQueue } from '../sendQueue'
import { isJsonObject, parseJson } from '../auth'
import { createCorsHeaders } from '../origin'
import { nodeToJsonText, setOwnProperty } from '../tree/nodeJson'
import { authenticate, assertKnownParams } from './restHttp'
import type { RestRequest } from './restHttp'
import { readRequestedNode } from './valueHandler'

const KEEP_ALIVE_MS = 30_000
/** The server disconnects a client with more undelivered bytes than this. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024

export const isStreamRequest = ({ method, request }: RestRequest): boolean =>
  method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream')

const stripPriorities = (json: unknown): unknown => {
  if (!isJsonObject(json)) return json
  if ('.value' in json) return json['.value']
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(json)) {
    if (key !== '.priority') setOwnProperty(copy, key, stripPriorities(json[key]))
  }
  return copy
}

const removePriorities = (body: string): string =>
  body.includes('".priority":') ? JSON.stringify(stripPriorities(parseJson(body))) : body

/** Maximum delay of a Node.js timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Runs `expire` when the token expires. Sets no timer for a token that expires after the longest
 * delay.
 */
const scheduleExpiry = (
  expiresAt: number | undefined,
  expire: () => void,
): NodeJS.Timeout | undefined => {
  if (expiresAt === undefined) return undefined
  const delay = Math.max(0, expiresAt - Date.now())
  return delay > MAX_DELAY_MS ? undefined : setTimeout(expire, delay)
}

/** Sends the value at a path and every later change to it as server-sent events. */
export const streamValue = (call: RestRequest, namespace: Namespace, outbox: SendQueue): void => {
  const { request, response } = call
  assertKnownParams(call.params)
  const actor = authenticate(call)
  const { path, query, node } = readRequestedNode(call, namespace, actor)
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
    ...createCorsHeaders(request),
  })
  const write = (event: string, text: string) =>
    outbox.add((lost) => {
      if (response.destroyed) return
      // The event describes a write that was rolled back, so the client must reconnect.
      if (lost) return void response.destroy()
      response.write(`event: ${event}\ndata: ${text}\n\n`)
      if (response.writableLength > MAX_BACKLOG_BYTES) response.destroy()
    })
  write('put', `{"path":"/","data":${nodeToJsonText(node, 'plain')}}`)

  const revoked = scheduleExpiry(actor.expiresAt, () => {
    write('auth_revoked', '"credential is no longer valid"')
    outbox.add(() => response.end())
  })
  const keepAlive = setInterval(() => write('keep-alive', 'null'), KEEP_ALIVE_MS)
  const listen: Listener = {
    path,
    query,
    getActor: () => actor,
    sendUpdate: (push) => {
      const below = JSON.stringify(`/${push.path.slice(path.length).join('/')}`)
      const event = push.kind === 'put' ? 'put' : 'patch'
      write(event, `{"path":${below},"data":${removePriorities(push.body)}}`)
    },
    onRevoked: () => {
      write('cancel', 'null')
      outbox.add(() => response.end())
    },
  }
  namespace.listen(listen)
  response.on('close', () => {
    clearInterval(keepAlive)
    clearTimeout(revoked)
    namespace.removeListener(listen)
  })
}
