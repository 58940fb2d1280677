import type { Listen } from '../listens'
import type { Namespace } from '../namespace'
import type { Outbox } from '../outbox'
import { isJsonObject, parseJson } from '../auth'
import { jsonText, putOwn } from '../tree/json'
import { actorOf } from './http'
import type { Call } from './http'
import { readFor } from './values'

const KEEP_ALIVE_MS = 30_000
/** A reader this far behind is let go. */
const MAX_BACKLOG = 64 * 1024 * 1024

export const wantsStream = ({ method, request }: Call): boolean =>
  method === 'GET' && (request.headers.accept ?? '').includes('text/event-stream')

const withoutPriorities = (json: unknown): unknown => {
  if (!isJsonObject(json)) return json
  if ('.value' in json) return json['.value']
  const copy: Record<string, unknown> = {}
  for (const key of Object.keys(json)) {
    if (key !== '.priority') putOwn(copy, key, withoutPriorities(json[key]))
  }
  return copy
}

const plain = (body: string): string =>
  body.includes('".priority":') ? JSON.stringify(withoutPriorities(parseJson(body))) : body

/** Answers with the value at a path and then with every change of it, as server-sent events. */
export const stream = (call: Call, namespace: Namespace, outbox: Outbox): void => {
  const { request, response } = call
  const actor = actorOf(call)
  const { path, query, node } = readFor(call, namespace, actor)
  response.writeHead(200, {
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-cache',
    'Access-Control-Allow-Origin': request.headers.origin ?? '*',
  })
  const write = (event: string, text: string) =>
    outbox.add((lost) => {
      if (response.destroyed) return
      // It would tell of what is no more; its reader asks again.
      if (lost) return void response.destroy()
      response.write(`event: ${event}\ndata: ${text}\n\n`)
      if (response.writableLength > MAX_BACKLOG) response.destroy()
    })
  write('put', `{"path":"/","data":${jsonText(node, 'plain')}}`)

  const keepAlive = setInterval(() => write('keep-alive', 'null'), KEEP_ALIVE_MS)
  const listen: Listen = {
    path,
    query,
    actor: () => actor,
    push: (push) => {
      const below = JSON.stringify(`/${push.path.slice(path.length).join('/')}`)
      const event = push.kind === 'put' ? 'put' : 'patch'
      write(event, `{"path":${below},"data":${plain(push.body)}}`)
    },
    revoke: () => {
      write('cancel', 'null')
      outbox.add(() => response.end())
    },
  }
  namespace.listen(listen)
  response.on('close', () => {
    clearInterval(keepAlive)
    namespace.unlisten(listen)
  })
}
