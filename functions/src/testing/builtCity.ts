import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

const isImported = (file: string) =>
  existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { imported: boolean }).imported

/**
 * Returns the directory of the built demo city for tests. Builds it when it is missing or out of
 * date. Leaves an imported city unchanged and builds the demo city next to it.
 */
export const ensureBuiltCity = (): string => {
  const output = isImported(join(ROOT, 'functions/data/maps/meta.json'))
    ? join(ROOT, '.cache/demo-city')
    : ROOT
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/maps/build.ts'], {
    cwd: ROOT,
    env: { ...process.env, KERBSIDE_MAPS_OUTPUT: output },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return join(output, 'functions/data/maps')
}
