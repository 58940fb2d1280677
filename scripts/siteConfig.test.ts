import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkSiteConfig, createSiteConfig, writeSiteConfig } from './siteConfig'

const firebase = {
  apiKey: 'key',
  projectId: 'city-cabs',
  databaseURL: 'https://city-cabs-default-rtdb.firebaseio.com',
  storageBucket: 'city-cabs.firebasestorage.app',
  authDomain: 'city-cabs.firebaseapp.com',
  appId: '1:2:web:3',
}
const sdkConfig = { ...firebase, messagingSenderId: '2' }
const answer = { status: 'success', result: { sdkConfig } }

it('configures the deployed page with its project and without emulators', () => {
  expect(createSiteConfig(answer)).toEqual({
    firebase: sdkConfig,
    emulators: null,
    local: false,
    functionsUrl: 'https://us-central1-city-cabs.cloudfunctions.net',
  })
})

it('configures the keys and addresses of the project’s settings', () => {
  const settings = {
    KERBSIDE_APP_CHECK_SITE_KEY: '6Lkey',
    KERBSIDE_AUTH_DOMAIN: 'login.citycabs.com',
    KERBSIDE_FUNCTIONS_URL: 'https://calls.citycabs.com',
    KERBSIDE_GOOGLE_MAPS_BROWSER_KEY: 'AIza',
    KERBSIDE_MAPS_BASIC_AUTH: 'kerbside:4f1c0a',
    KERBSIDE_VAPID_KEY: 'Bkey',
  }
  expect(createSiteConfig(answer, settings)).toMatchObject({
    firebase: { ...firebase, authDomain: 'login.citycabs.com' },
    functionsUrl: 'https://calls.citycabs.com',
    appCheckSiteKey: '6Lkey',
    mapsBasicAuth: 'kerbside:4f1c0a',
    vapidKey: 'Bkey',
    maps: { kind: 'google', apiKey: 'AIza' },
  })
})

it('gives the installed app the name of the settings, and keeps the rest of its manifest', () => {
  const root = mkdtempSync(join(tmpdir(), 'kerbside-site-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const folder of ['dist', 'functions']) mkdirSync(join(root, folder))
  const manifest = join(root, 'dist/manifest.webmanifest')
  const shipped = { name: 'Kerbside', short_name: 'Kerbside', start_url: '/' }
  const write = (...settings: string[]) => {
    writeFileSync(manifest, JSON.stringify(shipped))
    const required = [
      'KERBSIDE_ORIGINS=https://city-cabs.web.app',
      'KERBSIDE_MAPS_BASIC_AUTH=kerbside:4f1c0a',
      'KERBSIDE_REGION=us-central1',
    ]
    writeFileSync(join(root, 'functions/.env.city-cabs'), [...required, ...settings].join('\n'))
    writeSiteConfig(root, answer)
    return JSON.parse(readFileSync(manifest, 'utf8')) as object
  }
  expect(write()).toEqual(shipped)
  const name = 'City Cabs'
  expect(write(`KERBSIDE_APP_NAME=${name}`)).toEqual({ ...shipped, name, short_name: name })
})

it('uses the region of the settings, and refuses when the database is in another', () => {
  const databaseURL = 'https://city-cabs-default-rtdb.europe-west1.firebasedatabase.app'
  const european = { result: { sdkConfig: { ...sdkConfig, databaseURL } } }
  expect(createSiteConfig(european, { KERBSIDE_REGION: 'europe-west1' }).functionsUrl).toBe(
    'https://europe-west1-city-cabs.cloudfunctions.net',
  )
  expect(() => createSiteConfig(european)).toThrow(
    'The database is in europe-west1, but KERBSIDE_REGION is us-central1.',
  )
  expect(() => createSiteConfig(answer, { KERBSIDE_REGION: 'asia-southeast1' })).toThrow(
    'The database is in us-central1, but KERBSIDE_REGION is asia-southeast1.',
  )
})

it('tells a project without a database what to do', () => {
  const rest = { ...sdkConfig, databaseURL: undefined }
  expect(() => createSiteConfig({ result: { sdkConfig: rest } })).toThrow(
    "Firebase's response has no databaseURL. Create the Realtime Database first",
  )
})

const config = createSiteConfig(answer)
it.each<[string, unknown, string | null]>([
  ['a complete configuration', config, null],
  [
    'the configuration of another project',
    { ...config, firebase: { ...firebase, projectId: 'x' } },
    'belongs to the project x',
  ],
  [
    'a local configuration',
    { ...config, local: true, emulators: {} },
    'emulators in dist/config.json',
  ],
  ['a missing key', { ...config, firebase: { ...firebase, apiKey: '' } }, 'firebase.apiKey'],
  [
    'a placeholder',
    { ...config, firebase: { ...firebase, apiKey: 'YOUR_API_KEY' } },
    'apiKey in dist/config.json is still a placeholder',
  ],
  ['functions without encryption', { ...config, functionsUrl: 'http://x' }, 'functionsUrl'],
  ['no configuration', null, 'dist/config.json is missing or not valid'],
])('checks the configuration before the site is uploaded: %s', (_, value, problem) => {
  const problems = checkSiteConfig(value, 'city-cabs')
  if (problem === null) expect(problems).toEqual([])
  else expect(problems.join('\n')).toContain(problem)
})
