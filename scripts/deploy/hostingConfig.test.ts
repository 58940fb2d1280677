import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { allowSources, createFilesRegex, getProjectSources } from './hostingConfig'

const folder = mkdtempSync(join(tmpdir(), 'kerbside-site-'))
afterAll(() => rmSync(folder, { recursive: true }))
const files = [
  'meta.json',
  '3/0/0.pbf',
  '3/0/1.pbf',
  '3/1/0.pbf',
  '3/1/1.pbf',
  '4/0/0.pbf',
  'a+b (c).txt',
]
for (const file of files) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), '')
}

it('matches exactly the files of a folder, and names equal folders together', () => {
  const text = createFilesRegex(folder) ?? ''
  const regex = new RegExp(`^${text}$`)
  for (const file of files) expect(regex.test(file), file).toBe(true)
  for (const path of [
    '4/0/1.pbf',
    '3/2/0.pbf',
    '3/0',
    'metaXjson',
    '',
    'x/meta.json',
    'meta.json/',
  ])
    expect(regex.test(path), path).toBe(false)
  expect(text).toContain('3/(0|1)/(0\\.pbf|1\\.pbf)')
})

it('finds nothing in a folder without files', () => {
  expect(createFilesRegex(join(folder, 'none'))).toBeNull()
})

const firebase = { authDomain: 'city-cabs.firebaseapp.com' }
it.each([
  ['https://us-central1-city-cabs.cloudfunctions.net', firebase, {}],
  ['https://calls.citycabs.com/v1', firebase, { 'connect-src': 'https://calls.citycabs.com' }],
  [
    'https://us-central1-city-cabs.cloudfunctions.net',
    { authDomain: 'login.citycabs.com' },
    { 'frame-src': 'https://login.citycabs.com' },
  ],
])(
  'allows the addresses of a project beside the common ones: %s, %j',
  (functionsUrl, auth, sources) => {
    expect(getProjectSources({ functionsUrl, firebase: auth })).toEqual(sources)
  },
)

it('adds sources to their directive only', () => {
  const key = 'Content-Security-Policy'
  const value = "default-src 'self'; connect-src 'self'; frame-src https://a.com"
  const hosting = {
    headers: [
      {
        regex: '.*',
        headers: [
          { key, value },
          { key: 'X', value: 'connect-src y' },
        ],
      },
    ],
  }
  expect(allowSources(hosting, { 'connect-src': 'https://b.com' }).headers[0]?.headers).toEqual([
    { key, value: "default-src 'self'; connect-src https://b.com 'self'; frame-src https://a.com" },
    { key: 'X', value: 'connect-src y' },
  ])
})
