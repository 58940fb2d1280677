import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '~/scripts/local/build'

/**
 * Sets of packages to measure with or against, each in a folder of its own. They are only measured,
 * so they stay out of our own lock file.
 */
const PEER_SETS = {
  'bench-peers': { firebase: '7.24.0', 'firebase-server': '1.1.0' },
  'bench-core': { '@google-cloud/functions-framework': '4.0.1' },
  'bench-web': {
    lighthouse: '12.8.2',
    'ra-data-fakerest': '5.15.4',
    'react-admin': '5.15.4',
    react: '19.3.1',
    'react-dom': '19.3.1',
  },
} as const
type PeerSet = keyof typeof PEER_SETS

const getPeersFolder = (set: PeerSet) => join(ROOT, '.cache', set)
export const PEERS_FOLDER = getPeersFolder('bench-peers')
export const CORE_PACKAGES_FOLDER = getPeersFolder('bench-core')
export const WEB_PEERS_FOLDER = getPeersFolder('bench-web')

/**
 * Installs a set of packages once. Returns false and reports the reason through `say` when that
 * fails.
 */
export const installPeers = (say: (line: string) => void, set: PeerSet): boolean => {
  const folder = getPeersFolder(set)
  const versions = PEER_SETS[set]
  const isInstalled = Object.keys(versions).every((name) =>
    existsSync(join(folder, 'node_modules', name, 'package.json')),
  )
  if (isInstalled) return true
  say('Installing packages to measure with …')
  mkdirSync(folder, { recursive: true })
  const manifest = { name: set, private: true, dependencies: versions }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2))
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
    { cwd: folder, stdio: 'ignore', shell: process.platform === 'win32' },
  )
  if (status === 0) return true
  say(
    'They could not be installed, so figures are missing. Check the connection to the package registry.',
  )
  return false
}
