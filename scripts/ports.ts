import { execFileSync } from 'node:child_process'
import { connect, createServer } from 'node:net'

/** Every port of one running Kerbside, in the order KERBSIDE_PORT_BASE counts them. */
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
} as const
type PortName = keyof typeof DEFAULT_PORTS
export type Ports = Record<PortName, number>

export const HOST = '127.0.0.1'
const NAMES = Object.keys(DEFAULT_PORTS) as PortName[]
const WHAT: Record<PortName, string> = {
  hosting: 'the web app',
  auth: 'sign-in',
  database: 'the database',
  functions: 'the functions',
  storage: 'the file storage',
  hub: "the suite's hub",
  logging: "the suite's log",
  eventarc: "the suite's events",
  tasks: "the suite's tasks",
}

/** The usual ports, or with a base: base, base + 1, … in the order of DEFAULT_PORTS. */
export function portsFrom(base?: number): Ports {
  if (base === undefined) return { ...DEFAULT_PORTS }
  return Object.fromEntries(NAMES.map((name, index) => [name, base + index])) as Ports
}

/** Reads KERBSIDE_PORT_BASE; throws a sentence when it is not a usable number. */
export function portBaseFrom(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  const base = Number(text)
  if (!Number.isInteger(base) || base < 1024 || base + NAMES.length > 65_536) {
    throw new Error(`KERBSIDE_PORT_BASE must be a whole number from 1024 to 65500, not "${text}".`)
  }
  return base
}

/** The ports of the Kerbside that runs here. Throws a sentence when none does; `otherwise` ends it with another way out. */
export const runningPorts = async (env: NodeJS.ProcessEnv, otherwise = ''): Promise<Ports> => {
  const ports = portsFrom(portBaseFrom(env.KERBSIDE_PORT_BASE))
  if (await isFree(ports.database))
    throw new Error(
      `No Kerbside runs at ${HOST}:${ports.hosting}. Run \`npm start\` in another window first${otherwise}.`,
    )
  return ports
}

const listens = (port: number): Promise<boolean> =>
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

/** Asks both ways: macOS lets two programs listen on one port when one of them listens on every address. */
export const isFree = async (port: number): Promise<boolean> =>
  !(await listens(port)) && (await canListen(port))

/** The program that holds a port, where the system can tell. */
function holder(port: number): string {
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

/** One sentence for each port that is taken: who has it, and for what Kerbside wants it. */
export async function busyPorts(ports: Ports): Promise<string[]> {
  const busy: string[] = []
  for (const name of NAMES) {
    const port = ports[name]
    if (!(await isFree(port))) {
      busy.push(`Port ${port}, wanted for ${WHAT[name]}, is taken by ${holder(port)}.`)
    }
  }
  return busy
}

/** A base whose ports are all free now, below the range systems hand out to outgoing connections. */
export async function freePortBase(): Promise<number> {
  for (let tries = 0; tries < 50; tries += 1) {
    const base = 20_000 + Math.floor(Math.random() * 1200) * 10
    if ((await busyPorts(portsFrom(base))).length === 0) return base
  }
  throw new Error('No ten free ports in a row between 20000 and 32000.')
}
