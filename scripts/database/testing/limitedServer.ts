// A proxy of a database server that enforces Google's limits on a smaller scale.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DatabaseValue } from '~/domain/data/databaseValue'

interface ServerLimits {
  /** Maximum bytes of one response, and of the data that one update writes or removes. */
  responseBytes: number
  writtenBytes: number
  /** Paths with too many nodes for a query. */
  unqueryable: readonly string[]
  /** Called before each request; a request is never answered while its promise is pending. */
  beforeRequest?: (method: string) => Promise<void> | void
}

export interface LimitedServer {
  readonly url: string
  /** Number of refused requests by method. */
  readonly refused: Record<string, number>
  close(): Promise<void>
}

const READ_REFUSAL =
  'Data requested exceeds the maximum size that can be accessed with a single request.'
const WRITE_REFUSAL =
  'Data to write exceeds the maximum size that can be modified with a single request.'

const FORWARDED_HEADERS = ['authorization', 'content-type', 'if-match', 'x-firebase-etag']

const readRequestBody = async (request: IncomingMessage): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** Starts the proxy of the server at `target`, for example http://127.0.0.1:9000. */
export const startLimitedServer = async (
  target: string,
  limits: ServerLimits,
): Promise<LimitedServer> => {
  const refused: Record<string, number> = {}
  const ask = async (url: URL, request: IncomingMessage, body: string): Promise<Response> => {
    const headers = FORWARDED_HEADERS.flatMap((name): [string, string][] => {
      const value = request.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    return fetch(url, {
      method: request.method ?? 'GET',
      headers,
      ...(body !== '' && { body }),
    })
  }
  /** Returns the bytes that an update of the root adds or removes. */
  const measureUpdate = async (url: URL, request: IncomingMessage, body: string) => {
    let bytes = body.length
    for (const [path, value] of Object.entries(JSON.parse(body) as Record<string, DatabaseValue>)) {
      if (value !== null) continue
      const removed = new URL(`/${path.split('/').map(encodeURIComponent).join('/')}.json`, url)
      removed.search = url.searchParams.has('ns') ? `ns=${url.searchParams.get('ns')}` : ''
      const { authorization = '' } = request.headers
      bytes += (await (await fetch(removed, { headers: { authorization } })).text()).length
    }
    return bytes
  }
  const server = createServer((request, response) => {
    const refuse = (text: string) => {
      refused[request.method ?? ''] = (refused[request.method ?? ''] ?? 0) + 1
      response.writeHead(400).end(JSON.stringify({ error: text }))
    }
    const handle = async () => {
      await limits.beforeRequest?.(request.method ?? '')
      const url = new URL(request.url ?? '/', target)
      const path = decodeURIComponent(url.pathname).replace(/^\/|\.json$/g, '')
      const body = await readRequestBody(request)
      if (url.searchParams.has('orderBy') && limits.unqueryable.includes(path))
        return refuse(READ_REFUSAL)
      if (request.method === 'PATCH')
        if ((await measureUpdate(url, request, body)) > limits.writtenBytes)
          return refuse(WRITE_REFUSAL)
      const answer = await ask(url, request, body)
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (request.method === 'GET' && bytes.length > limits.responseBytes)
        return refuse(READ_REFUSAL)
      const etag = answer.headers.get('etag')
      response.writeHead(answer.status, etag === null ? {} : { etag }).end(bytes)
    }
    handle().catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refused,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
