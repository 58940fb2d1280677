// Why: the rules and conformance tests bring a stand-in along. Under KERBSIDE_OFFICIAL_EMULATORS=1 the test command
// runs through this, which starts Google's own database for it:  tsx scripts/officialDatabase.ts vitest.mjs run …
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './build'
import { PROJECT } from './localDatabase'
import { requireOfficial } from './officialEmulators'
import { freePortBase, portsFrom } from './ports'
import { runToEnd } from './runToEnd'
import { configure, environment } from './suiteConfig'

const quoted = (word: string) => `"${word.replaceAll('"', '\\"')}"`

async function main(command: string[]): Promise<number> {
  await requireOfficial(['database'])
  const home = mkdtempSync(join(tmpdir(), 'kerbside-official-'))
  try {
    const config = configure(home, portsFrom(await freePortBase()), false)
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
        `cd ${quoted(ROOT)} && ${[process.execPath, ...command].map(quoted).join(' ')}`,
      ],
      { cwd: home, env: environment(home, home), stdio: ['ignore', 'inherit', 'inherit'] },
    )
    return status ?? 1
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

await runToEnd(() => main(process.argv.slice(2)))
