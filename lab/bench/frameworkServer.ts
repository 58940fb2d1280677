import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '~/scripts/local/build'
import { createFunctionsEnvironment } from '~/scripts/functions/functionsProcesses'
import { HOST } from '~/scripts/local/ports'
import { findFreePort, waitForExit } from './measuredServers'
import { CORE_PACKAGES_FOLDER } from './peerPackages'
import type { Milliseconds } from '~/domain/language/units'

/** One deployed function in a process of its own, as Cloud Run runs an instance. */
export interface ServedFunction {
  port: number
  pid: number
  stop(): Promise<void>
}

const isAnswering = (url: string): Promise<boolean> =>
  fetch(url, { method: 'OPTIONS' }).then(
    () => true,
    () => false,
  )

/**
 * Serves one function of the built bundle with Google's functions framework. Its tokens are read
 * but not verified, because they come from no real project.
 */
export const serveFunction = async (
  target: string,
  databasePort: number,
  nodeFlags: readonly string[] = [],
): Promise<ServedFunction> => {
  const port = await findFreePort()
  const main = join(
    CORE_PACKAGES_FOLDER,
    'node_modules/@google-cloud/functions-framework/build/src/main.js',
  )
  const child = spawn(
    process.execPath,
    [
      ...nodeFlags,
      main,
      `--target=${target}`,
      `--source=${join(ROOT, 'functions')}`,
      `--port=${port}`,
    ],
    {
      cwd: join(ROOT, 'functions'),
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        FUNCTION_TARGET: target,
        ...createFunctionsEnvironment(databasePort),
      },
    },
  )
  const url = `http://${HOST}:${port}/`
  while (!(await isAnswering(url))) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The function ${target} could not be started. See the errors above.`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    port,
    pid: child.pid ?? 0,
    stop: async () => {
      // A profile is written at a regular end only.
      child.kill(nodeFlags.length > 0 ? 'SIGINT' : 'SIGKILL')
      await waitForExit(child)
    },
  }
}

/** The clock ticks per second of every Linux that Node.js runs on. */
const TICKS_PER_SECOND = 100

/** Returns the processor time that a process has used, in ms; only Linux reports it. */
export const readProcessorMs = (pid: number): Milliseconds => {
  try {
    // The name in parentheses may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND
  } catch {
    return Number.NaN
  }
}
