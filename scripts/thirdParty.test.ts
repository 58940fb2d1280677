import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './build'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const json = <T>(file: string) => JSON.parse(read(file)) as T

const { packages } = json<{ packages: Record<string, { license?: string }> }>('package-lock.json')
const shipped = ['package.json', 'functions/package.json', 'emulator/package.json'].flatMap(
  (file) => Object.keys(json<{ dependencies: object }>(file).dependencies),
)

test('everything that is shipped is named among the third parties, with its licence', () => {
  const rows = read('docs/third-party.md').split('\n')
  const missing = shipped.filter((name) => {
    const { license = 'no licence' } = packages[`node_modules/${name}`] ?? {}
    return !rows.some((row) => row.includes(`\`${name}\``) && row.endsWith(`| ${license} |`))
  })
  expect(missing).toEqual([])
})
