// Runs the rules and conformance tests against Google's own database instead of the stand-in. With
// KERBSIDE_OFFICIAL_EMULATORS=1 the test command starts through this script: tsx
// scripts/official/officialDatabase.ts vitest.mjs run …
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../local/build'
import { PROJECT } from '../local/localDatabase'
import { requireOfficial } from './officialEmulators'
import { findFreePortBase, createPorts } from '../local/ports'
import { runScript } from '../local/scriptRunner'
import { writeFirebaseJson, createEnvironment } from '../local/suiteConfig'

const quote = (word: string) => `"${word.replaceAll('"', '\\"')}"`

async function runWithDatabase(command: string[]): Promise<number> {
  await requireOfficial(['database'])
  const home = mkdtempSync(join(tmpdir(), 'kerbside-official-'))
  try {
    const ports = createPorts(await findFreePortBase())
    const config = writeFirebaseJson(home, ports, false)
    const { status } = spawnSync(
      process.execPath,
      [
        createRequire(import.meta.url).resolve('firebase-tools/lib/bin/firebase.js'),
        'emulators:exec',
        '--project',
        PROJECT,
        '--only',
        'database',
        '--config',
        config,
        '--non-interactive',
        `cd ${quote(ROOT)} && ${[process.execPath, ...command].map(quote).join(' ')}`,
      ],
      {
        cwd: home,
        env: createEnvironment(home, home, ports),
        stdio: ['ignore', 'inherit', 'inherit'],
      },
    )
    return status ?? 1
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

await runScript(() => runWithDatabase(process.argv.slice(2)))
