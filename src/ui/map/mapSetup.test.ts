import { expect, test } from 'vitest'
import { parseBasemap } from './mapSetup'

test.each([
  [undefined],
  [{ kind: 'google' }],
  [{ kind: 'google', apiKey: '' }],
  [{ kind: 'raster', url: 'https://tiles.example/tile.png', credit: { text: '©' } }],
  ['google'],
])('falls back to the bundled map for the configuration %o', (configured) => {
  expect(parseBasemap(configured)).toEqual({ kind: 'bundled' })
})

test.each([
  [{ kind: 'google', apiKey: 'browser-key' }],
  [{ kind: 'raster', url: 'https://tiles.example/{z}/{x}/{y}.png', credit: { text: '© Example' } }],
])('accepts %o', (configured) => {
  expect(parseBasemap(configured)).toEqual(configured)
})
