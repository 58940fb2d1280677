import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DEPLOYED_CONFIG, endFirebaseApps } from './testing/deployedConfig'

const listScripts = () => [...document.scripts].map(({ src }) => src)

const openApp = async (settings: object) => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(settings)))
  const { getFirebaseApp } = await import('./app')
  return getFirebaseApp()
}
beforeEach(() => vi.resetModules())
afterEach(async () => {
  await endFirebaseApps()
  vi.unstubAllGlobals()
  document.head.replaceChildren()
  document.body.replaceChildren()
})

it('proves the page to App Check with reCAPTCHA Enterprise when the site has a key', async () => {
  const app = await openApp({ ...DEPLOYED_CONFIG, appCheckSiteKey: '6Lkey' })
  expect(app.options.projectId).toBe('city-cabs')
  expect(listScripts()).toEqual(['https://www.google.com/recaptcha/enterprise.js?render=explicit'])
})

it('loads nothing of App Check without a key', async () => {
  await openApp(DEPLOYED_CONFIG)
  expect(listScripts()).toEqual([])
})
