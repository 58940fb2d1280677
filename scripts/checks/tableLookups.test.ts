import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getOwn } from '~/domain/data/ownValue'
import { ROOT } from '../local/build'

/** A table whose keys can be any text. */
const TABLE =
  /^(?:export )?const (\w+): (?:(?:Readonly|Partial)<)*(?:Record<string,|RefundStates\b)/gm

/** Returns the tables of a file that it reads by an index. */
const findIndexedTables = (file: string): string[] => {
  const source = readFileSync(join(ROOT, file), 'utf8')
  return [...source.matchAll(TABLE)]
    .map(([, name = '']) => name)
    .filter((name) => new RegExp(`(?<![\\w.])${name}\\[`).test(source))
    .map((name) => `${file}: ${name}`)
}

test('a name that every object has is no key of a table', () => {
  expect(getOwn({ a: 1 }, 'a')).toBe(1)
  expect(getOwn({ a: 1 }, 'b')).toBeUndefined()
  for (const name of Object.getOwnPropertyNames(Object.prototype))
    expect(getOwn({ a: 1 }, name)).toBeUndefined()
})

test('the domain and the functions read tables of any key with getOwn', () => {
  const { stdout } = spawnSync('git', ['ls-files', 'domain', 'functions/src'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  const files = stdout
    .split('\n')
    .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\/testing\//.test(file))
  expect(files.length).toBeGreaterThan(300)
  expect(files.flatMap(findIndexedTables)).toEqual([])
})
