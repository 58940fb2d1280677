import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

const isImported = (file: string) =>
  existsSync(file) && (JSON.parse(readFileSync(file, 'utf8')) as { imported: boolean }).imported

/**
 * For tests: the directory of the really built demo city, built now when it is missing or out of
 * date. A city somebody imported stays untouched; the demo city is then built beside it.
 */
export const builtCity = (): string => {
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
