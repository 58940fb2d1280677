import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROOT } from '../local/build'
import {
  acceptShape,
  compareShapes,
  describeStoredData,
  parseRecord,
  RECORD_FILE,
} from './storedShape'

describe('the stored data', () => {
  const present = describeStoredData()

  test('has the recorded shape; if not, docs/operations.md says how to migrate it', () => {
    expect(compareShapes(parseRecord(readFileSync(RECORD_FILE, 'utf8')), present)).toEqual([])
  })

  test('has a type for every path that the rules name', () => {
    const { rules } = JSON.parse(readFileSync(join(ROOT, 'database.rules.json'), 'utf8')) as {
      rules: object
    }
    const described = new Set(present.map((line) => /^\w+/.exec(line)?.[0]))
    const ruled = Object.keys(rules).filter((path) => /^\w/.test(path))
    expect(ruled.filter((path) => !described.has(path))).toEqual([])
  })
})

describe('a description', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'kerbside-shape-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const describeSource = (source: string) => {
    const file = join(folder, 'storedData.ts')
    writeFileSync(file, source)
    return describeStoredData(file)
  }

  test('names each field of records, lists and maps', () => {
    const source = `
      interface Item { name: string; price?: number }
      export interface StoredData {
        'orders/{id}': { items: Item[]; notes?: Record<string, string>; first: Item | null }
        'names/{id}': string
      }`
    expect(describeSource(source)).toEqual([
      'names/{id}: string',
      'orders/{id}/first/name: string',
      'orders/{id}/first/price?: number',
      'orders/{id}/items/*/name: string',
      'orders/{id}/items/*/price?: number',
      'orders/{id}/notes?/*: string',
    ])
  })

  test('does not depend on the order of a union’s members', () => {
    const of = (status: string) =>
      describeSource(`export interface StoredData { a: { status: ${status}; on: boolean } }`)
    expect(of(`'new' | 'done'`)).toEqual(of(`'done' | 'new'`))
    expect(of(`'new' | 'done'`)).toEqual(['a/on: boolean', 'a/status: "done" | "new"'])
  })

  test('ends at a type that contains itself', () => {
    const source = 'interface Tree { left?: Tree } export interface StoredData { tree: Tree }'
    expect(describeSource(source)).toEqual(['tree/left?: Tree'])
  })

  test('needs the interface', () => {
    expect(() => describeSource('export {}')).toThrow('has no interface StoredData')
  })
})

describe('a changed shape', () => {
  const recorded = { version: 3, reasons: ['no migration: old'], lines: ['a: number', 'b: string'] }
  const present = ['a: number', 'b?: string']

  test('is reported line by line', () => {
    expect(compareShapes(recorded, present, 3)).toEqual(['- b: string', '+ b?: string'])
    expect(compareShapes(recorded, recorded.lines, 4)).toEqual([
      'The record is of version 3, the schema of 4.',
    ])
  })

  test('needs a migration or a reason', () => {
    expect(() => acceptShape(recorded, present, ' ', 3)).toThrow('Add a migration')
    expect(acceptShape(recorded, present, 'b may be missing', 3)).toEqual({
      version: 3,
      reasons: ['no migration: old', 'no migration: b may be missing'],
      lines: present,
    })
    expect(acceptShape(recorded, present, '', 4)).toEqual({
      version: 4,
      reasons: [],
      lines: present,
    })
  })
})
