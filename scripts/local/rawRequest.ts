import { connect } from 'node:net'
import { HOST } from './ports'

/**
 * Sends bytes unchanged to a port and returns the response status, or 0 when the connection closes
 * without a response.
 */
export const sendRawRequest = (port: number, bytes: string): Promise<number> =>
  new Promise((resolve) => {
    let text = ''
    const finish = () => resolve(Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0))
    const socket = connect({ host: HOST, port }, () => socket.write(bytes, 'latin1'))
    socket.on('data', (part) => {
      text += part.toString('latin1')
      if (!text.includes('\r\n')) return
      socket.destroy()
    })
    socket.on('error', finish)
    socket.on('close', finish)
  })

const createGetRequest = (line: string, headers = `Host: ${HOST}`) =>
  `GET ${line} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`

/** Requests that no client of ours sends, each of which has crashed a server or might. */
export const MALFORMED_REQUESTS: readonly [string, string][] = [
  ['two slashes', createGetRequest('//')],
  ['a slash and a backslash', createGetRequest('/\\')],
  ['a host in the path', createGetRequest('//evil.example/x')],
  ['a bracket after two slashes', createGetRequest('//[')],
  ['three slashes', createGetRequest('///')],
  ['half a percent sign', createGetRequest('/%')],
  ['a percent sign that decodes to half of one', createGetRequest('/v0/b/x/o/%25zz')],
  ['a file name of half a percent sign', createGetRequest('/v0/b/x/o?name=%25')],
  ['a path of control characters', createGetRequest('/\x01\x02')],
  ['a path of bytes that are no UTF-8', createGetRequest('/%ff%fe')],
  ['a whole address', createGetRequest('http://evil.example/')],
  ['an address without a host', createGetRequest('http://')],
  ['a port beyond all', createGetRequest('http://a:99999/')],
  ['no host', createGetRequest('/', 'X-A: b')],
  ['an empty host', createGetRequest('/', 'Host: ')],
  ['a host that is a bracket', createGetRequest('/', 'Host: [')],
  ['a host with a space', createGetRequest('/', 'Host: a b')],
  ['a host with a path', createGetRequest('/', 'Host: a/b')],
  ['an asterisk', `OPTIONS * HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`],
  ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`],
  ['an unknown method', `BREW / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`],
  ['an old protocol', 'GET // HTTP/1.0\r\n\r\n'],
  ['no protocol', 'GET //\r\n\r\n'],
  [
    'a broken upgrade',
    `GET // HTTP/1.1\r\nHost: ${HOST}\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`,
  ],
  ['a body of no length', `POST // HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: x\r\n\r\n`],
  [
    'two ways to end a body',
    `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
  [
    'an expectation',
    `GET // HTTP/1.1\r\nHost: ${HOST}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
  ],
]
