import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ROOT } from '~/scripts/local/build'
import { NAMESPACE } from '~/scripts/local/localDatabase'
import { HOST, type Ports } from '~/scripts/local/ports'
import { listProcesses } from '~/scripts/local/processes'
import type { Milliseconds } from '~/domain/language/units'

const POLL_INTERVAL_MS = 50

interface DatabaseProcess {
  pid: number
  /** The start arguments after `java`. */
  args: string[]
  /** The folder of the suite. */
  suiteFolder: string
}

/** Returns the database stand-in of the suite on these ports. */
const findDatabaseProcess = ({ database }: Ports): DatabaseProcess | undefined => {
  for (const { pid, command } of listProcesses()) {
    const [, jar, rest] = / -jar (\/.+?database\.jar) (--host .*)$/.exec(command) ?? []
    if (jar === undefined || rest === undefined) continue
    if (!`${rest} `.includes(` --port ${database} `)) continue
    return { pid, args: ['-jar', jar, ...rest.trim().split(/\s+/)], suiteFolder: dirname(jar) }
  }
  return undefined
}

const requestSetting = async (
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
  if (!response.ok) throw new Error(`The database returned status ${response.status} for ${name}.`)
  return response.json()
}

const isAnswering = async (ports: Ports): Promise<boolean> => {
  try {
    await requestSetting(ports, 'functionTriggers')
    return true
  } catch {
    return false
  }
}

const isAlive = (pid: number): boolean => listProcesses().some((one) => one.pid === pid)

/**
 * Restarts a stand-in through `shim/java`, which records its own pid for the suite's cleanup and
 * then becomes the stand-in.
 */
const restartDatabase = ({ args, suiteFolder }: DatabaseProcess): void => {
  const log = openSync(join(suiteFolder, 'database.log'), 'a')
  spawn(join(ROOT, 'scripts', 'shim', 'java'), args, {
    cwd: suiteFolder,
    detached: true,
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      KERBSIDE_JAVA: join(ROOT, 'emulator', 'bin', 'java'),
      STAND_IN_DATA_DIR: join(suiteFolder, 'data'),
      KERBSIDE_PIDS: join(suiteFolder, 'pids'),
    },
  }).unref()
  closeSync(log)
}

/**
 * Kills the database of a running suite. Returns a function that restarts it from its folder and
 * resolves when it responds and knows the functions to trigger. Throws when the suite has no
 * stand-in to kill.
 */
export const killDatabase = async (ports: Ports): Promise<() => Promise<void>> => {
  const databaseProcess = findDatabaseProcess(ports)
  if (!databaseProcess)
    throw new Error(
      'The database here is not our stand-in, so it cannot be killed. Leave out the kills, or use the stand-in.',
    )
  const triggers = await requestSetting(ports, 'functionTriggers')
  process.kill(databaseProcess.pid, 'SIGKILL')
  while (isAlive(databaseProcess.pid)) await pause(POLL_INTERVAL_MS)
  return async () => {
    restartDatabase(databaseProcess)
    while (!(await isAnswering(ports))) await pause(POLL_INTERVAL_MS)
    await requestSetting(ports, 'functionTriggers', 'PUT', triggers)
  }
}

/** Leaves the database without disk space for `ms`. */
export const fillDisk = async (ports: Ports, ms: Milliseconds): Promise<void> => {
  // The first write that finds no disk space may fail together with this response.
  await requestSetting(ports, 'disk', 'PUT', 'full').catch(() => undefined)
  await pause(ms)
  while (!(await requestSetting(ports, 'disk', 'PUT', 'ok').catch(() => undefined)))
    await pause(POLL_INTERVAL_MS)
}
