import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DEPLOYED_CONFIG, endFirebaseApps } from './testing/deployedConfig'

const config = {
  ...DEPLOYED_CONFIG,
  functionsUrl: 'https://europe-west1-city-cabs.cloudfunctions.net',
}
const requested: string[] = []

beforeEach(() => {
  vi.resetModules()
  requested.length = 0
  vi.stubGlobal('fetch', (input: string | URL | Request) => {
    const url = input instanceof Request ? input.url : input.toString()
    if (url === '/config.json') return Promise.resolve(Response.json(config))
    requested.push(url)
    return Promise.resolve(Response.json({ result: 'answer' }))
  })
})
afterEach(async () => {
  await endFirebaseApps()
  vi.unstubAllGlobals()
})

it('calls the functions of a deployed project at their region and group', async () => {
  const { functionsPort } = await import('./functions')
  expect(await functionsPort.call('ensure_profile', {})).toBe('answer')
  expect(await functionsPort.call('advance_booking', { booking_id: 'b', event: 'accept' })).toBe(
    'answer',
  )
  await functionsPort.post('googleapis-getcoords', { place_id: 'p' })
  await functionsPort.get('get_providers', {})
  await functionsPort.get('track', { token: 'a&b' })
  expect(requested).toEqual([
    `${config.functionsUrl}/api/ensure_profile`,
    `${config.functionsUrl}/advance_booking`,
    `${config.functionsUrl}/maps/googleapis-getcoords`,
    `${config.functionsUrl}/payments/get_providers?`,
    `${config.functionsUrl}/api/track?token=a%26b`,
  ])
})
