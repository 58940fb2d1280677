import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '../build'
import { NAMESPACE } from '../localDatabase'
import { HOST, type Ports } from '../ports'
import { processes } from '../processes'

const LOOK_MS = 50

interface Running {
  pid: number
  /** As it was started, after `java`. */
  args: string[]
  /** The suite's folder. */
  home: string
}

/** The stand-in that a suite on these ports runs as its database. */
const running = ({ database }: Ports): Running | undefined => {
  for (const { pid, command } of processes()) {
    const [, jar, rest] = / -jar (\/.+?database\.jar) (--host .*)$/.exec(command) ?? []
    if (jar === undefined || rest === undefined) continue
    if (!`${rest} `.includes(` --port ${database} `)) continue
    return { pid, args: ['-jar', jar, ...rest.trim().split(/\s+/)], home: dirname(jar) }
  }
  return undefined
}

const settings = async (
  { database }: Ports,
  name: string,
  method = 'GET',
  body?: unknown,
): Promise<unknown> => {
  const response = await fetch(
    `http://${HOST}:${database}/.settings/${name}.json?ns=${NAMESPACE}`,
    {
      method,
      headers: { Authorization: 'Bearer owner' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
  )
  if (!response.ok) throw new Error(`The database answered ${response.status} about ${name}.`)
  return response.json()
}

const answers = async (ports: Ports): Promise<boolean> => {
  try {
    await settings(ports, 'functionTriggers')
    return true
  } catch {
    return false
  }
}

const isAlive = (pid: number): boolean => processes().some((one) => one.pid === pid)

/** The pid a restarted stand-in notes for the suite's leash is `shim/java`'s own, which becomes it. */
const start = ({ args, home }: Running): void => {
  const log = openSync(join(home, 'database.log'), 'a')
  spawn(join(ROOT, 'scripts', 'shim', 'java'), args, {
    cwd: home,
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      KERBSIDE_JAVA: join(ROOT, 'emulator', 'bin', 'java'),
      KERBSIDE_DATA_DIR: join(home, 'data'),
      KERBSIDE_PIDS: join(home, 'pids'),
    },
  }).unref()
  closeSync(log)
}

/**
 * Kills the database of a running suite outright; what it gives starts it again on its folder, and resolves when it answers and
 * knows the functions that want to hear of changes. Throws when the suite has no stand-in to kill.
 */
export const killDatabase = async (ports: Ports): Promise<() => Promise<void>> => {
  const found = running(ports)
  if (!found) throw new Error('No stand-in serves the database here; it can’t be killed.')
  const triggers = await settings(ports, 'functionTriggers')
  process.kill(found.pid, 'SIGKILL')
  while (isAlive(found.pid)) await pause(LOOK_MS)
  return async () => {
    start(found)
    while (!(await answers(ports))) await pause(LOOK_MS)
    await settings(ports, 'functionTriggers', 'PUT', triggers)
  }
}

/** Leaves the database without room to write for `ms`. */
export const fillDisk = async (ports: Ports, ms: number): Promise<void> => {
  // The answer may leave together with the first write that finds no room, and then says so.
  await settings(ports, 'disk', 'PUT', 'full').catch(() => undefined)
  await pause(ms)
  while (!(await settings(ports, 'disk', 'PUT', 'ok').catch(() => undefined))) await pause(LOOK_MS)
}
