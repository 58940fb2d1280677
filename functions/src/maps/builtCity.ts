import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

/** For tests: the directory of the really built city, built now when it is missing or out of date. */
export const builtCity = (): string => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/maps/build.ts', '--demo'], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return resolve(ROOT, 'functions/data/maps')
}
