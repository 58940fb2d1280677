import { expect, it } from 'vitest'
import { siteConfig } from './siteConfig'

const firebase = {
  apiKey: 'key',
  projectId: 'acme-taxis',
  databaseURL: 'https://acme-taxis-default-rtdb.firebaseio.com',
  storageBucket: 'acme-taxis.firebasestorage.app',
  authDomain: 'acme-taxis.firebaseapp.com',
  appId: '1:2:web:3',
}
const sdkConfig = { ...firebase, messagingSenderId: '2' }

it('the deployed page is told its project and nothing of emulators', () => {
  expect(siteConfig({ status: 'success', result: { sdkConfig } })).toEqual({
    firebase,
    emulators: null,
    local: false,
    functionsUrl: 'https://us-central1-acme-taxis.cloudfunctions.net',
  })
})

it('a project without a database is told what to do', () => {
  const rest = { ...sdkConfig, databaseURL: undefined }
  expect(() => siteConfig({ result: { sdkConfig: rest } })).toThrow(
    "Firebase's answer has no databaseURL. Create the Realtime Database first",
  )
})
