import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../build'

/** The peers live here and never in our own lock file: they are old, and only measured. */
export const PEERS = join(ROOT, '.cache', 'bench-peers')

const WANTED = { firebase: '7.24.0', 'firebase-server': '1.1.0' }

/** Installs the peers once; false, with a sentence through `say`, when that can't be done. */
export const installPeers = (say: (line: string) => void): boolean => {
  if (existsSync(join(PEERS, 'node_modules', 'firebase-server', 'package.json'))) return true
  say('Installing the peers …')
  mkdirSync(PEERS, { recursive: true })
  const manifest = { name: 'bench-peers', private: true, dependencies: WANTED }
  writeFileSync(join(PEERS, 'package.json'), JSON.stringify(manifest, null, 2))
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      '--fetch-retries=1',
    ],
    { cwd: PEERS, stdio: 'ignore', shell: process.platform === 'win32' },
  )
  if (status === 0) return true
  say('The peers could not be installed (is the package registry in reach?), so no ratios follow.')
  return false
}
