import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planChunks, type SharedModule } from './chunkPlan'

const createModule = (
  id: string,
  entries: string,
  { imports = '', size = 100 }: { imports?: string; size?: number } = {},
): SharedModule => ({
  id,
  entries: new Set(entries.split(' ')),
  imports: imports ? imports.split(' ') : [],
  size,
})
/** Returns the planned files, each as the sorted names of its modules. */
const plan = (...modules: SharedModule[]): string[] =>
  planChunks(modules)
    .map((ids) => ids.sort().join(' '))
    .sort()

test('puts small modules that mostly the same pages need into one file', () => {
  expect(
    plan(
      createModule('dates', 'bookings wallet profile'),
      createModule('money', 'bookings wallet'),
      createModule('colors', 'bookings wallet profile'),
    ),
  ).toEqual(['colors dates money'])
})

test('keeps apart what no page needs together', () => {
  expect(
    plan(createModule('chart', 'reports board'), createModule('chat', 'trip booking')),
  ).toEqual(['chart', 'chat'])
})

test('keeps a large module from pages that do not need it, also when a small one imports it', () => {
  expect(
    plan(
      createModule('table', 'promos drivers', { imports: 'library' }),
      createModule('library', 'promos drivers', { size: 500_000 }),
      createModule('title', 'promos drivers settings'),
    ),
  ).toEqual(['library table', 'title'])
})

test('puts each module into one file, and lets no file import itself through another', () => {
  /** Modules that import later ones; whatever loads a module also loads its imports. */
  const anyModules = fc
    .array(
      fc.record({
        entries: fc.uniqueArray(fc.integer({ max: 4, min: 0 }), { minLength: 1, maxLength: 4 }),
        distances: fc.array(fc.integer({ max: 6, min: 1 }), { maxLength: 3 }),
        size: fc.integer({ max: 30_000, min: 1 }),
      }),
      { maxLength: 30, minLength: 2 },
    )
    .map((drawn) => {
      const modules = drawn.map(({ entries, distances, size }, at) => ({
        ...{ id: String(at), entries: new Set(entries.map(String)), size },
        imports: distances
          .map((distance) => at + distance)
          .filter((other) => other < drawn.length)
          .map(String),
      }))
      for (const { entries, imports } of modules)
        for (const id of imports)
          for (const entry of entries) modules[Number(id)]?.entries.add(entry)
      return modules
    })
  fc.assert(
    fc.property(anyModules, (modules) => {
      const files = planChunks(modules)
      expect(files.flat().sort()).toEqual(modules.map(({ id }) => id).sort())
      const fileOf = new Map(files.flatMap((ids, file) => ids.map((id) => [id, file] as const)))
      const getImports = (file: number) =>
        (files[file] ?? [])
          .flatMap((id) => modules[Number(id)]?.imports ?? [])
          .map((id) => fileOf.get(id) ?? -1)
          .filter((other) => other !== file)
      const check = (file: number, path: readonly number[]) => {
        expect(path).not.toContain(file)
        for (const other of new Set(getImports(file))) check(other, [...path, file])
      }
      for (const file of files.keys()) check(file, [])
    }),
    { seed: 1, numRuns: 500 },
  )
})

test('plans the same files for the same modules in any order', () => {
  const modules = [
    createModule('a', 'one two three'),
    createModule('b', 'one two', { imports: 'a' }),
    createModule('c', 'two three'),
    createModule('d', 'four five', { size: 90_000 }),
  ]
  expect(plan(...modules.toReversed())).toEqual(plan(...modules))
})
