import { expect, it } from 'vitest'
import { findSettingProblems } from './projectSettings'

const good = {
  KERBSIDE_ORIGINS: 'https://city-cabs.web.app, https://book.citycabs.com',
  KERBSIDE_MAPS_BASIC_AUTH: 'kerbside:4f1c0a',
  KERBSIDE_REGION: 'europe-west1',
}
const find = (settings: Record<string, string | undefined>, isComplete = true) =>
  findSettingProblems({ ...good, ...settings }, 'city-cabs', { isComplete })

it('accepts complete settings, with and without the optional ones', () => {
  expect(find({})).toEqual([])
  expect(
    find({
      KERBSIDE_APP_CHECK_SITE_KEY: `6L${'a'.repeat(38)}`,
      KERBSIDE_APP_NAME: 'City Cabs',
      KERBSIDE_AUTH_DOMAIN: 'login.citycabs.com',
      KERBSIDE_FUNCTIONS_URL: 'https://calls.citycabs.com',
      KERBSIDE_GOOGLE_MAPS_BROWSER_KEY: `AIza${'b'.repeat(35)}`,
      KERBSIDE_PROXY_COUNT: '1',
      KERBSIDE_VAPID_KEY: `B${'c'.repeat(86)}`,
      KERBSIDE_WEB_URL: 'https://book.citycabs.com',
    }),
  ).toEqual([])
})

it.each([
  ['KERBSIDE_ORIGINS', ''],
  ['KERBSIDE_ORIGINS', 'http://city-cabs.web.app'],
  ['KERBSIDE_ORIGINS', 'https://city-cabs.web.app/book'],
  ['KERBSIDE_ORIGINS', '*'],
  ['KERBSIDE_ORIGINS', 'https://acme-taxis.web.app'],
  ['KERBSIDE_ORIGINS', 'https://book.acme.example'],
  ['KERBSIDE_MAPS_BASIC_AUTH', 'kerbside:…'],
  ['KERBSIDE_MAPS_BASIC_AUTH', 'kerbside'],
  ['KERBSIDE_REGION', 'europe-west3'],
  ['KERBSIDE_FUNCTIONS_URL', 'https://calls.citycabs.com/'],
  ['KERBSIDE_WEB_URL', 'book.citycabs.com'],
  ['KERBSIDE_AUTH_DOMAIN', 'https://login.citycabs.com'],
  ['KERBSIDE_APP_CHECK_SITE_KEY', 'changeme'],
  ['KERBSIDE_GOOGLE_MAPS_BROWSER_KEY', '<browser key>'],
  ['KERBSIDE_APP_NAME', 'City Cabs and Parcels of Montevideo'],
  ['KERBSIDE_PROXY_COUNT', 'two'],
  ['KERBSIDE_VAPID_KEY', 'the key pair'],
])('refuses %s with the value %j and names it', (name, value) => {
  const [problem, ...more] = find({ [name]: value })
  expect(more).toEqual([])
  expect(problem).toMatch(new RegExp(`^${name} in functions/\\.env\\.city-cabs is `))
})

it('reports a missing setting before it uploads the site; firebase-tools asks for it when it deploys the functions', () => {
  expect(find({ KERBSIDE_REGION: undefined })).toEqual([
    'KERBSIDE_REGION is missing. Add it to functions/.env.city-cabs: the region of the database: us-central1, europe-west1, asia-southeast1.',
  ])
  expect(find({ KERBSIDE_REGION: undefined }, false)).toEqual([])
})

it.each([
  'KERBSIDE_SALT',
  'KERBSIDE_SETUP_SECRET',
  'KERBSIDE_GOOGLE_MAPS_KEY',
  'KERBSIDE_CALLER_KEY',
  'PAYMENT_KEYS',
  'MESSAGE_KEYS',
])('refuses the secret %s in the settings file and says where it belongs', (name) => {
  expect(find({ [name]: 'value' })).toEqual([
    `${name} is a secret, and functions/.env.city-cabs is not the place for it. Store its value with ` +
      `\`npx firebase functions:secrets:set ${name} --project city-cabs\` and delete the line.`,
  ])
})
