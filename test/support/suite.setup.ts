import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findViolations, type DatabaseTree } from '~/domain/invariants'
import { startSuite, type Suite } from '~/scripts/suite'
import type { Urls, WebConfig } from '~/scripts/suiteConfig'
import type { Ports } from '~/scripts/ports'
import { findPersonalLines } from './personalDataCheck'

declare module 'vitest' {
  interface ProvidedContext {
    urls: Urls
    ports: Ports
    webConfig: WebConfig
  }
}

interface SharedSuite {
  users: number
  folder: string
  suite: Promise<Suite>
}
// Each Vitest project loads this file separately, so they share one suite through `globalThis`.
const sharedSuite = globalThis as { kerbsideSuite?: SharedSuite }

/**
 * Starts one complete Kerbside with the demo city, on free ports and in its own folder; the last
 * project to end stops it.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!sharedSuite.kerbsideSuite) {
    const folder = mkdtempSync(join(tmpdir(), 'kerbside-test-'))
    const suite = startSuite({ dataDir: folder, portBase: 'free', isFresh: true })
    sharedSuite.kerbsideSuite = { users: 0, folder, suite }
  }
  const mine = sharedSuite.kerbsideSuite
  mine.users += 1
  const { urls, ports, webConfig } = await mine.suite
  project.provide('urls', urls)
  project.provide('ports', ports)
  project.provide('webConfig', webConfig)
  return async () => {
    mine.users -= 1
    if (mine.users > 0) return
    delete sharedSuite.kerbsideSuite
    const { database, log, stop } = await mine.suite
    // All tests together must leave consistent data. Each test covers its own failures; this check
    // covers the whole.
    const tree = ((await database.get('')) ?? {}) as DatabaseTree
    await stop()
    const wrong = [
      ...findViolations(tree),
      ...findPersonalLines(readFileSync(log, 'utf8'), tree).map(
        (line) => `the log names somebody: ${line}`,
      ),
    ]
    rmSync(mine.folder, { recursive: true, force: true })
    if (wrong.length === 0) return
    console.error(`The tests left data that is not sound:\n${wrong.join('\n')}`)
    // Vitest reports an error in a teardown but still exits with success.
    process.exitCode = 1
  }
}
