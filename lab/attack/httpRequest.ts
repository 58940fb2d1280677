import { Agent, request as begin } from 'node:http'
import { HOST } from '~/scripts/local/ports'
import { toWellFormed } from './hostileValues'

/** A response; `status` is 0 when the connection closed without one. */
export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}
export interface HttpRequest {
  port: number
  method: string
  /** The request target; `toRequestTarget` encodes characters that a request line cannot hold. */
  path: string
  headers?: Record<string, string>
  body?: Buffer | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/**
 * Percent-encodes the characters that a request line cannot hold and leaves the rest of a hostile
 * path unchanged.
 */
const toRequestTarget = (path: string): string =>
  // oxlint-disable-next-line no-control-regex -- they are exactly what must not stand there
  toWellFormed(path).replace(/[\u0000-\u0020\u007f-\u{10ffff}]+/gu, encodeURIComponent)

const toHeaderText = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')

/** Sends one request exactly as given; `fetch` would normalize it. */
export const sendRequest = ({
  port,
  method,
  path,
  headers = {},
  body,
}: HttpRequest): Promise<HttpResponse> =>
  new Promise((resolve) => {
    const clientRequest = begin(
      {
        host: HOST,
        port,
        method,
        path: toRequestTarget(path),
        agent,
        headers: {
          ...Object.fromEntries(
            Object.entries(headers).map(([name, v]) => [name, toHeaderText(v)]),
          ),
          ...(body !== undefined && { 'Content-Length': String(body.length) }),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        const end = () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(parts).toString('utf8'),
          })
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('end', end)
        response.on('error', end)
        // A stream of server-sent events never ends, and its first chunk has all we need.
        if (String(response.headers['content-type']).startsWith('text/event-stream')) {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
          response.destroy()
        }
      },
    )
    clientRequest.on('error', (error) => resolve({ status: 0, headers: {}, text: error.message }))
    clientRequest.end(body)
  })

/** Closes the connections that are kept open for later requests. */
export const closeConnections = (): void => agent.destroy()
