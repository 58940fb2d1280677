import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { violations, type DatabaseTree } from '~/domain/invariants'
import { startSuite, type Suite } from '~/scripts/suite'
import type { Urls, WebConfig } from '~/scripts/suiteConfig'
import type { Ports } from '~/scripts/ports'
import { personalLines } from './personal'

declare module 'vitest' {
  interface ProvidedContext {
    urls: Urls
    ports: Ports
    webConfig: WebConfig
  }
}

interface Shared {
  users: number
  folder: string
  suite: Promise<Suite>
}
// Each project loads this file anew, so what they share hangs on the process: one suite for all of them.
const shared = globalThis as { kerbsideSuite?: Shared }

/** Starts one whole Kerbside with the demo city, on free ports and a folder of its own; the last project to end stops it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!shared.kerbsideSuite) {
    const folder = mkdtempSync(join(tmpdir(), 'kerbside-test-'))
    const suite = startSuite({ dataDir: folder, portBase: 'free', fresh: true })
    shared.kerbsideSuite = { users: 0, folder, suite }
  }
  const mine = shared.kerbsideSuite
  mine.users += 1
  const { urls, ports, webConfig } = await mine.suite
  project.provide('urls', urls)
  project.provide('ports', ports)
  project.provide('webConfig', webConfig)
  return async () => {
    mine.users -= 1
    if (mine.users > 0) return
    delete shared.kerbsideSuite
    const { database, log, stop } = await mine.suite
    // Whatever the tests did, what they leave must be sound; each has its own trouble explained, all of them this one.
    const tree = ((await database.get('')) ?? {}) as DatabaseTree
    await stop()
    const wrong = [
      ...violations(tree),
      ...personalLines(readFileSync(log, 'utf8'), tree).map(
        (line) => `the log names somebody: ${line}`,
      ),
    ]
    rmSync(mine.folder, { recursive: true, force: true })
    if (wrong.length === 0) return
    console.error(`The tests left data that is not sound:\n${wrong.join('\n')}`)
    // Vitest reports what a teardown throws, and passes all the same.
    process.exitCode = 1
  }
}
