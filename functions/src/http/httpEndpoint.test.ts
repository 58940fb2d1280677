import { describe, expect, it } from 'vitest'
import { isAllowedOrigin, readConfig, hashWithSalt, getSalt } from '../config'
import { isMapsBasicAuth } from './httpEndpoint'
import { getClientIp } from './http'

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
  ])('for the header %s returns %s', (header, good) => {
    expect(isMapsBasicAuth(header, config)).toBe(good)
  })
  it('admits no caller when no header is configured', () => {
    expect(isMapsBasicAuth(basic(''), readConfig({}))).toBe(false)
  })
})

describe('allowed origins of calls', () => {
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

describe('the caller’s address', () => {
  const socket = { remoteAddress: '10.1.1.1' } as never
  const forged = ['6.6.6.6', '1.1.1.1, 2.2.2.2, 3.3.3.3', ' , ,', '127.0.0.1', '203.0.113.9, x']
  const getIp = (header: string | string[] | undefined, proxyCount: number) =>
    getClientIp({ headers: { 'x-forwarded-for': header }, socket }, proxyCount)

  it.each(forged)('is the hop that Google saw, whatever the caller forged: %s', (text) => {
    expect(getIp('203.0.113.9', 0)).toBe('203.0.113.9')
    expect(getIp(`${text}, 203.0.113.9`, 0)).toBe('203.0.113.9')
    expect(getIp([text, '203.0.113.9'], 0)).toBe('203.0.113.9')
  })
  it.each(forged)(
    'is the hop before the configured proxy, whatever the caller forged: %s',
    (text) => {
      expect(getIp('203.0.113.9, 35.1.1.1', 1)).toBe('203.0.113.9')
      expect(getIp(`${text}, 203.0.113.9, 35.1.1.1`, 1)).toBe('203.0.113.9')
      expect(getIp(`${text}, 203.0.113.9, 35.1.1.1, 35.1.1.2`, 2)).toBe('203.0.113.9')
    },
  )
  it('is the nearest hop of a request that did not pass the proxy', () => {
    expect(getIp('203.0.113.9', 1)).toBe('203.0.113.9')
    expect(getIp(undefined, 1)).toBe('10.1.1.1')
    expect(getIp('', 0)).toBe('10.1.1.1')
  })
})

describe('the salt of hashed addresses', () => {
  it('has a default only in local mode, because a known salt hides nothing', () => {
    expect(getSalt(readConfig({ FUNCTIONS_EMULATOR: 'true' }))).toBe('kerbside')
    expect(getSalt(readConfig({ KERBSIDE_SALT: 'pepper' }))).toBe('pepper')
    expect(() => getSalt(readConfig({ GCLOUD_PROJECT: 'acme-taxis' }))).toThrow('not_configured')
  })
  it('gives the same hash for the same text and salt, and another hash for another salt', () => {
    const hash = hashWithSalt('+15555550100', { salt: 'pepper' })
    expect(hashWithSalt('+15555550100', { salt: 'pepper' })).toBe(hash)
    expect(hashWithSalt('+15555550100', { salt: 'other' })).not.toBe(hash)
    expect(hashWithSalt('+15555550101', { salt: 'pepper' })).not.toBe(hash)
  })
})
