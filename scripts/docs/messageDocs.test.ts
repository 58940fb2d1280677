import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { insertMessageTable, MESSAGES_FILE } from './messageDocs'

test('docs/messages.md shows the current message table (npm run generate)', () => {
  const text = readFileSync(MESSAGES_FILE, 'utf8')
  expect(text).toBe(insertMessageTable(text))
  expect(text).toContain(
    '| `accepted` | guest | opens BookedCab | fallback, with the link | | 30 |',
  )
})

test('refuses a document without its markers', () => {
  expect(() => insertMessageTable('# Messages')).toThrow('markers')
})
