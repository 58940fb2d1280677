import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { startSuite, type Suite } from '~/scripts/local/suite'
import { findPersonalLines } from './personalDataCheck'
import type {} from './testSuite'

interface StartedSuite {
  folder: string
  suite: Suite
}
interface SharedSuites {
  users: number
  started: Promise<StartedSuite[]>
}
// Each Vitest project loads this file separately, so they share the suites through `globalThis`.
const shared = globalThis as { kerbsideSuites?: SharedSuites }

/** Starts one complete Kerbside with the demo city, on free ports and in its own folder. */
const startTestSuite = async (): Promise<StartedSuite> => {
  const folder = mkdtempSync(join(tmpdir(), 'kerbside-test-'))
  return { folder, suite: await startSuite({ dataDir: folder, portBase: 'free', isFresh: true }) }
}

const startTestSuites = (count: number): Promise<StartedSuite[]> =>
  Promise.all(Array.from({ length: count }, startTestSuite))

/**
 * Stops a suite and returns what is wrong with it. All tests together must leave consistent data.
 * Each test covers its own failures; this check covers the whole.
 */
const stopTestSuite = async ({ folder, suite }: StartedSuite): Promise<string[]> => {
  const tree = ((await suite.database.get('')) ?? {}) as DatabaseTree
  await suite.stop()
  const wrong = [
    ...findViolations(tree),
    ...findPersonalLines(readFileSync(suite.log, 'utf8'), tree).map(
      (line) => `the log names somebody: ${line}`,
    ),
  ]
  rmSync(folder, { recursive: true, force: true })
  return wrong
}

/** Starts one suite per worker; the last project to end stops them. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.kerbsideSuites ??= {
    users: 0,
    started: startTestSuites(Number(process.env.KERBSIDE_TEST_SUITES ?? 1)),
  }
  const mine = shared.kerbsideSuites
  mine.users += 1
  const suites = await mine.started
  project.provide(
    'suites',
    suites.map(({ suite: { urls, ports, webConfig } }) => ({ urls, ports, webConfig })),
  )
  return async () => {
    mine.users -= 1
    if (mine.users > 0) return
    delete shared.kerbsideSuites
    const wrong = (await Promise.all(suites.map(stopTestSuite))).flat()
    if (wrong.length === 0) return
    console.error(`The tests left data that is not sound:\n${wrong.join('\n')}`)
    // Vitest reports an error in a teardown but still exits with success.
    process.exitCode = 1
  }
}
