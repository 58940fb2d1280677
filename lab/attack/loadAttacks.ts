import { connect, type Socket } from 'node:net'
import { WebSocket } from 'ws'
import { NAMESPACE, PROJECT } from '~/scripts/local/localDatabase'
import { HOST, type Ports } from '~/scripts/local/ports'
import { sendRequest } from './httpRequest'

/** The load that an attack puts on a suite. */
export interface Intensity {
  /** Number of connections of each kind that start a request and never finish it. */
  slowConnections: number
  /** Size of the largest body in bytes. */
  oversizeBytes: number
}

const FUNCTION_PATH = `/${PROJECT}/us-central1/check_user_exists`
const REST_PATH = `/settings/appName.json?ns=${NAMESPACE}`

const openConnection = (port: number, head: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: HOST, port }, () => {
      socket.write(head)
      resolve(socket)
    })
    socket.once('error', reject)
    // The server may also close the connection.
    socket.on('error', () => socket.destroy())
  })

/**
 * Holds connections open that send little and never finish, and sends honest requests meanwhile.
 * Returns the honest requests that got no response.
 */
export const slowLoris = async (
  ports: Ports,
  { slowConnections }: Intensity,
): Promise<string[]> => {
  const beginnings: [string, number, string][] = [
    ['half a head', ports.functions, `POST ${FUNCTION_PATH} HTTP/1.1\r\nHost: x\r\nX-A: `],
    [
      'half a body',
      ports.functions,
      `POST ${FUNCTION_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99999\r\n\r\n{"em`,
    ],
    ['half a head', ports.database, `GET ${REST_PATH} HTTP/1.1\r\nHost: x\r\nX-A: `],
    [
      'half a body',
      ports.database,
      `PUT ${REST_PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n"a`,
    ],
    ['half a greeting', ports.database, 'GET /.ws?v=5 HTTP/1.1\r\nHost: x\r\nUpgrade: webso'],
    ['half a head', ports.storage, 'GET /v0/b/x/o HTTP/1.1\r\nHost: x\r\nX-A: '],
    [
      'half a body',
      ports.storage,
      'POST /v0/b/x/o?name=a HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: 99999\r\n\r\nx',
    ],
    ['half a head', ports.hosting, 'GET / HTTP/1.1\r\nHost: x\r\nX-A: '],
  ]
  const sockets: Socket[] = []
  const wrong: string[] = []
  try {
    for (const [, port, head] of beginnings)
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: slowConnections }, () => openConnection(port, head)),
        )),
      )
    for (const socket of sockets) if (!socket.destroyed) socket.write('a')
    const honest: [string, Parameters<typeof sendRequest>[0], number][] = [
      [
        'functions',
        { port: ports.functions, method: 'GET', path: `/${PROJECT}/us-central1/health` },
        200,
      ],
      ['database', { port: ports.database, method: 'GET', path: REST_PATH }, 200],
      ['hosting', { port: ports.hosting, method: 'GET', path: '/' }, 200],
      ['storage', { port: ports.storage, method: 'GET', path: '/v0/b/x/o/none' }, 403],
    ]
    for (const [name, request, expected] of honest) {
      const { status } = await sendRequest(request)
      if (status !== expected)
        wrong.push(`${name} answered ${status} while ${sockets.length} slow connections were open`)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  return wrong
}

/**
 * Sends bodies and messages far beyond every limit. Returns those that the server wrongly accepted.
 */
export const sendOversized = async (
  ports: Ports,
  { oversizeBytes: bytes }: Intensity,
): Promise<string[]> => {
  const wrong: string[] = []
  const body = Buffer.from(`{"data":"${'x'.repeat(bytes)}"}`)
  const json = { 'Content-Type': 'application/json' }
  const call = await sendRequest({
    port: ports.functions,
    method: 'POST',
    path: FUNCTION_PATH,
    headers: json,
    body,
  })
  if (![0, 400, 413].includes(call.status))
    wrong.push(`functions took ${bytes} bytes: ${call.status}`)
  const write = await sendRequest({
    port: ports.database,
    method: 'PUT',
    path: REST_PATH,
    headers: json,
    body,
  })
  if (![0, 400, 401, 413].includes(write.status))
    wrong.push(`database took ${bytes} bytes: ${write.status}`)
  const closed = await new Promise<string>((resolve) => {
    const socket = new WebSocket(`ws://${HOST}:${ports.database}/.ws?v=5&ns=${NAMESPACE}`)
    socket.on('error', () => undefined)
    socket.on('close', (code: number) => resolve(`closed ${code}`))
    socket.on('message', (message: Buffer) => {
      if (message.includes('"r":7,')) {
        resolve(message.toString().slice(0, 200))
        socket.close()
      }
    })
    socket.once('open', () =>
      socket.send(
        `{"t":"d","d":{"r":7,"a":"p","b":{"p":"/settings/appName","d":"${body.toString('latin1').slice(9, -2)}"}}}`,
      ),
    )
  })
  if (closed.includes('"s":"ok"')) wrong.push(`the websocket took ${bytes} bytes: ${closed}`)
  return wrong
}
