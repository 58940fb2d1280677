import { describe, expect, it } from 'vitest'
import { isAllowedOrigin, readConfig } from './config'
import { isMapsKey } from './endpoint'
import { ipOf } from './http'

const config = readConfig({
  KERBSIDE_MAPS_BASIC_AUTH: 'user:sécret',
  KERBSIDE_ORIGINS: 'https://a.example, https://b.example',
})
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('the maps proxies’ fixed header', () => {
  it.each([
    [basic('user:sécret'), true],
    [basic('user:other'), false],
    ['Bearer user:sécret', false],
    [undefined, false],
    ['Basic %%%', false],
  ])('%s: %s', (header, good) => {
    expect(isMapsKey(header, config)).toBe(good)
  })
  it('opens nothing where none is configured', () => {
    expect(isMapsKey(basic(''), readConfig({}))).toBe(false)
  })
})

describe('whose pages may call', () => {
  const local = readConfig({ FUNCTIONS_EMULATOR: 'true' })
  it.each([
    ['https://b.example', config, true],
    ['https://c.example', config, false],
    ['http://localhost:5173', config, false],
    ['http://localhost:5173', local, true],
    ['http://127.0.0.1:5050', local, true],
    ['http://localhost.evil.example', local, false],
  ])('%s', (origin, where, allowed) => {
    expect(isAllowedOrigin(origin, where)).toBe(allowed)
  })
})

it('the caller’s address is the hop Google saw, not one he made up', () => {
  const socket = { remoteAddress: '10.1.1.1' } as never
  expect(ipOf({ headers: { 'x-forwarded-for': '6.6.6.6, 203.0.113.9' }, socket })).toBe(
    '203.0.113.9',
  )
  expect(ipOf({ headers: {}, socket })).toBe('10.1.1.1')
})
