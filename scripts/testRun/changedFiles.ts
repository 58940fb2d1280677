import { spawnSync } from 'node:child_process'
import { ROOT } from '../local/build'

/** Returns what a command prints, one entry a line; throws its own error output. */
export const readLines = (command: string, ...args: string[]): string[] => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.split('\n').filter(Boolean)
}

/** Returns the files that differ from where the branch left `base`, and those that are new. */
export const listChangedFiles = (base = 'main'): string[] => [
  ...readLines('git', 'diff', '--name-only', '--merge-base', base),
  ...readLines('git', 'ls-files', '--others', '--exclude-standard'),
]

const hasCommit = (name: string): boolean =>
  spawnSync('git', ['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { cwd: ROOT })
    .status === 0

/**
 * Returns what the present change is compared with: the main branch of the origin, or on that
 * branch the commit before; undefined in a copy without a history.
 */
export const findBase = (): string | undefined => {
  const [head] = readLines('git', 'rev-parse', 'HEAD')
  const isAhead =
    hasCommit('origin/main') && readLines('git', 'merge-base', 'HEAD', 'origin/main')[0] !== head
  return ['origin/main', 'HEAD~1'].slice(isAhead ? 0 : 1).find(hasCommit)
}
