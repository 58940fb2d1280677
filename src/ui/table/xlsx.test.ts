import { strFromU8, unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { toXlsx } from './xlsx'

test('writes text that looks like a formula as text, and numbers as numbers', async () => {
  const file = await toXlsx(
    [
      ['Name', 'Cost'],
      ['=HYPERLINK("x")', 12.5],
      ['سارة', 3],
    ],
    'bookings',
  )
  // The Blob of jsdom has no arrayBuffer.
  const bytes = await new Promise<ArrayBuffer>((done) => {
    const reader = new FileReader()
    reader.onload = () => done(reader.result as ArrayBuffer)
    reader.readAsArrayBuffer(file)
  })
  const parts = Object.fromEntries(
    Object.entries(unzipSync(new Uint8Array(bytes))).map(([name, part]) => [name, strFromU8(part)]),
  )
  const sheet = Object.entries(parts).find(([name]) => /sheet1\.xml$/.test(name))?.[1] ?? ''
  expect(sheet).not.toContain('<f>')
  expect(sheet).toContain('<v>12.5</v>')
  const words = Object.values(parts).join('')
  expect(words).toContain('=HYPERLINK(')
  expect(words).toContain('سارة')
})
