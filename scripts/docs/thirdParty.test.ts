import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const readJson = <T>(file: string) => JSON.parse(read(file)) as T

const { packages } = readJson<{ packages: Record<string, { license?: string }> }>(
  'package-lock.json',
)
const shippedPackages = ['package.json', 'functions/package.json', 'emulator/package.json'].flatMap(
  (file) => Object.keys(readJson<{ dependencies: object }>(file).dependencies),
)

test('lists every shipped package with its license in the third-party document', () => {
  const rows = read('docs/third-party.md').split('\n')
  const missing = shippedPackages.filter((name) => {
    const { license = 'no licence' } = packages[`node_modules/${name}`] ?? {}
    return !rows.some((row) => row.includes(`\`${name}\``) && row.endsWith(`| ${license} |`))
  })
  expect(missing).toEqual([])
})
