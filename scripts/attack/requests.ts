import { Agent, request as begin } from 'node:http'
import { HOST } from '../ports'
import { wellFormed } from './hostile'

/** What came back; `status` 0 when the connection was closed without an answer. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}
export interface Asked {
  port: number
  method: string
  /** As it stands in the request line; `inLine` makes it possible. */
  path: string
  headers?: Record<string, string>
  body?: Buffer | undefined
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** A path with whatever a request line cannot hold percent-encoded; everything else stays as hostile as it is. */
const inLine = (path: string): string =>
  // eslint-disable-next-line no-control-regex -- they are exactly what must not stand there
  wellFormed(path).replace(/[\u0000-\u0020\u007f-\u{10ffff}]+/gu, encodeURIComponent)

const headerText = (value: string): string => value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '?')

/** Sends one request exactly as it is told, which `fetch` would tidy up first. */
export const send = ({ port, method, path, headers = {}, body }: Asked): Promise<Answer> =>
  new Promise((resolve) => {
    const asked = begin(
      {
        host: HOST,
        port,
        method,
        path: inLine(path),
        agent,
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, v]) => [name, headerText(v)])),
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
        // An endless answer of server-sent events says all it has to say at its beginning.
        if (String(response.headers['content-type']).startsWith('text/event-stream')) {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text: '' })
          response.destroy()
        }
      },
    )
    asked.on('error', (error) => resolve({ status: 0, headers: {}, text: error.message }))
    asked.end(body)
  })

/** Ends the connections that are kept open for the next request. */
export const hangUp = (): void => agent.destroy()
