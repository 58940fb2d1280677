import { expect, test } from 'vitest'
import { findMissingPaths, findPaths } from './documentedPaths'

const files = ['src/ui/table/DataTable.tsx', 'docs/back-office.md', 'test/e2e/office.test.ts']
const findMissing = (text: string) => findMissingPaths('docs/back-office.md', text, files)

test('reads files and folders in backticks, and no other code', () => {
  expect(findPaths('`ui/table/`, `money.ts` and `a/b`, `settings/country`, src/main.ts')).toEqual([
    'ui/table',
    'money.ts',
  ])
})

test.each([
  'ui/table/DataTable.tsx',
  'src/ui/table/DataTable.tsx',
  'src/ui/table/',
  'test/e2e/office.test.ts',
  'office.test.ts',
])('accepts the existing path %s', (path) => {
  expect(findMissing(`See \`${path}\`.`)).toEqual([])
})

test.each(['office/frame/menu.ts', 'src/ui/table/Table.tsx', 'Table.tsx'])(
  'reports a missing path: %s',
  (path) => {
    expect(findMissing(`See \`${path}\`.`)).toEqual([path])
  },
)
