import { expect, test } from 'vitest'
import { basemapOf } from './setup'

test.each([
  [undefined],
  [{ kind: 'google' }],
  [{ kind: 'google', apiKey: '' }],
  [{ kind: 'raster', url: 'https://tiles.example/tile.png', credit: { text: '©' } }],
  ['google'],
])('a configuration of %o means the bundled map', (configured) => {
  expect(basemapOf(configured)).toEqual({ kind: 'bundled' })
})

test.each([
  [{ kind: 'google', apiKey: 'browser-key' }],
  [{ kind: 'raster', url: 'https://tiles.example/{z}/{x}/{y}.png', credit: { text: '© Example' } }],
])('%o is used', (configured) => {
  expect(basemapOf(configured)).toEqual(configured)
})
