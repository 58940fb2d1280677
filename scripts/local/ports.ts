import { execFileSync } from 'node:child_process'
import { connect, createServer } from 'node:net'

/** The default ports of a running Kerbside, in the order in which KERBSIDE_PORT_BASE counts. */
export const DEFAULT_PORTS = {
  hosting: 5050,
  auth: 9099,
  database: 9000,
  functions: 5001,
  storage: 9199,
  hub: 4400,
  logging: 4500,
  eventarc: 9299,
  tasks: 9499,
  triggers: 5011,
} as const
type PortName = keyof typeof DEFAULT_PORTS
export type Ports = Record<PortName, number>

export const HOST = '127.0.0.1'
const PORT_NAMES = Object.keys(DEFAULT_PORTS) as PortName[]
const PORT_PURPOSES: Record<PortName, string> = {
  hosting: 'the web app',
  auth: 'sign-in',
  database: 'the database',
  functions: 'the functions',
  storage: 'the file storage',
  hub: "the suite's hub",
  logging: "the suite's log",
  eventarc: "the suite's events",
  tasks: "the suite's tasks",
  triggers: 'the triggers',
}

/** Returns the default ports, or with a base: base, base + 1, … in the order of DEFAULT_PORTS. */
export function createPorts(base?: number): Ports {
  if (base === undefined) return { ...DEFAULT_PORTS }
  return Object.fromEntries(PORT_NAMES.map((name, index) => [name, base + index])) as Ports
}

/** Reads KERBSIDE_PORT_BASE; throws a readable error when it is not a usable number. */
export function parsePortBase(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const base = Number(text)
  if (!Number.isInteger(base) || base < 1024 || base + PORT_NAMES.length > 65_536) {
    throw new Error(`KERBSIDE_PORT_BASE must be a whole number from 1024 to 65500, not "${text}".`)
  }
  return base
}

/**
 * Returns the ports of the running Kerbside. Throws a readable error when none runs; `otherwise`
 * appends an alternative to it.
 */
export const findRunningPorts = async (env: NodeJS.ProcessEnv, otherwise = ''): Promise<Ports> => {
  const ports = createPorts(parsePortBase(env.KERBSIDE_PORT_BASE))
  if (await isPortFree(ports.database))
    throw new Error(
      `No Kerbside runs at ${HOST}:${ports.hosting}. Run \`npm start\` in another window first${otherwise}.`,
    )
  return ports
}

export const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: HOST, port })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
const canListen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: HOST, port }, () => server.close(() => resolve(true)))
  })

/**
 * Tries both addresses: macOS lets two programs use one port when one of them listens on every
 * address.
 */
export const isPortFree = async (port: number): Promise<boolean> =>
  !(await isListening(port)) && (await canListen(port))

/** Returns the program that uses a port, if the system reports it. */
function findPortHolder(port: number): string {
  try {
    const lines = execFileSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).split('\n')
    const pid = lines.find((line) => line.startsWith('p'))?.slice(1)
    const name = lines.find((line) => line.startsWith('c'))?.slice(1)
    return pid && name ? `${name}, process ${pid}` : 'another program'
  } catch {
    return 'another program'
  }
}

/**
 * Returns one sentence for each port in use: which program uses it and what Kerbside needs it for.
 */
export async function describeBusyPorts(ports: Ports): Promise<string[]> {
  const busy: string[] = []
  for (const name of PORT_NAMES) {
    const port = ports[name]
    if (!(await isPortFree(port))) {
      busy.push(
        `Port ${port}, wanted for ${PORT_PURPOSES[name]}, is taken by ${findPortHolder(port)}.`,
      )
    }
  }
  return busy
}

/** Listens on a port until this process ends; returns false when it is in use. */
const reservePort = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer().unref()
    server.once('error', () => resolve(false))
    server.listen({ host: HOST, port }, () => resolve(true))
  })

/**
 * Returns a base whose ports are all free, below the range that systems use for outgoing
 * connections. Safe beside another process that looks at the same time, because each reserves the
 * port after the last one first.
 */
export async function findFreePortBase(): Promise<number> {
  const stride = PORT_NAMES.length + 1
  for (let tries = 0; tries < 50; tries += 1) {
    const base = 20_000 + Math.floor(Math.random() * 1000) * stride
    if (
      (await reservePort(base + stride - 1)) &&
      (await describeBusyPorts(createPorts(base))).length === 0
    )
      return base
  }
  throw new Error(
    'There are no ten free ports in a row between 20000 and 31000. Stop other programs.',
  )
}
