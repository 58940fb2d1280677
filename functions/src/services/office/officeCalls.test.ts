import { describe, expect, it } from 'vitest'
import { readConfig } from '../../config'
import { caller } from '../../endpoints/office/caller'
import { isCallerKey } from '../../http/httpEndpoint'
import { announceCall, answerCall, removeExpiredCalls } from './officeCalls'
import { createTestDatabase } from '../../testing/testDatabase'
import { handleRequest } from '../../http/requestHandler'
import { aProject, createTestPorts, getErrorKey, TEST_NOW } from '../../testing/testPorts'
import type { OfficeCall } from '~/domain/office/types'

const NUMBER = '+59899123456'
const config = readConfig({ KERBSIDE_SALT: 'salt', KERBSIDE_CALLER_KEY: 'a key of 20 letters.' })

const anOffice = () => {
  const db = createTestDatabase(aProject())
  const ports = createTestPorts({ db, config })
  const ring = (after = 0, number = NUMBER) =>
    announceCall({ db, config, now: TEST_NOW + after }, { number, extension: '12' })
  const rows = () => Object.entries((db.at('internal/admin') ?? {}) as Record<string, OfficeCall>)
  const ringing = () => rows().filter(([, call]) => call.number !== undefined)
  /** Sends a message of the telephone system, with its key or without. */
  const send = (input: unknown, hasCallerKey: boolean) =>
    handleRequest(
      caller,
      { input, caller: null, hasMapsBasicAuth: false, hasCallerKey, ip: '10.0.0.1', now: TEST_NOW },
      ports,
    )
  return { db, ring, rows, ringing, send }
}

describe('an incoming call', () => {
  it('is stored with its number, extension and end, and nothing else', async () => {
    const { ring, rows } = anOffice()
    await ring()
    expect(rows().map(([, call]) => call)).toEqual([
      { number: NUMBER, extension: '12', at: TEST_NOW, expires: TEST_NOW + 120_000, revision: 1 },
    ])
    expect(rows()[0]?.[0]).not.toContain('99123456')
  })

  it('is announced once although the telephone system sends it fifty times', async () => {
    const { ring, ringing } = anOffice()
    await Promise.all(Array.from({ length: 50 }, () => ring()))
    await ring(4_999)
    expect(ringing()).toHaveLength(1)
    await ring(10_000)
    expect(ringing()).toHaveLength(2)
  })

  it('is answered by one of fifty people, and loses its number', async () => {
    const { db, ring, rows, ringing } = anOffice()
    await ring()
    const [id = ''] = rows()[0] ?? []
    const answers = await Promise.all(Array.from({ length: 50 }, () => answerCall({ db }, id)))
    expect(answers.filter(Boolean)).toHaveLength(1)
    expect(JSON.stringify(rows())).not.toContain(NUMBER)
    // A late repeat of the message does not announce the answered call again.
    await ring(4_999)
    expect(ringing()).toEqual([])
  })

  it('is removed when it has expired, and not before', async () => {
    const { db, ring, rows } = anOffice()
    await ring()
    await ring(30_000, '+59899000000')
    await removeExpiredCalls({ db }, TEST_NOW + 120_000)
    expect(rows().map(([, { number }]) => number)).toEqual(['+59899000000'])
    expect(await answerCall({ db }, 'gone')).toBe(false)
  })
})

describe('a message of the telephone system', () => {
  it('is accepted with the key', async () => {
    const { send, ringing } = anOffice()
    await send({ number: '+598 99 123-456' }, true)
    expect(ringing()).toMatchObject([[expect.any(String), { number: NUMBER }]])
  })

  it('is refused without the key', async () => {
    const { send, rows } = anOffice()
    expect(await getErrorKey(send({ number: NUMBER }, false))).toBe('must_login')
    expect(rows()).toEqual([])
  })

  it.each([
    ['number', {}],
    ['number', { number: '099 123 456' }],
    ['number', { number: 'anonymous' }],
    ['extension', { number: NUMBER, extension: '<b>12</b>' }],
  ])('is refused with a bad %s', async (field, input) => {
    const { send, rows } = anOffice()
    await expect(send(input, true)).rejects.toMatchObject({ error: { key: 'bad_input', field } })
    expect(rows()).toEqual([])
  })

  it('is refused above 120 in a minute', async () => {
    const { send } = anOffice()
    for (let count = 0; count < 120; count++) await send({ number: NUMBER }, true)
    expect(await getErrorKey(send({ number: NUMBER }, true))).toBe('too_many_requests')
  })
})

describe('the key of the telephone system', () => {
  const local = readConfig({ FUNCTIONS_EMULATOR: 'true' })
  it.each([
    ['the right key', 'a key of 20 letters.', config, true],
    ['another key', 'a key of 20 letters!', config, false],
    ['no header', undefined, config, false],
    ['an empty header', '', readConfig({}), false],
    [
      '`none` while the secret is `none`',
      'none',
      readConfig({ KERBSIDE_CALLER_KEY: 'none' }),
      false,
    ],
    ['the local key in a deployed project', 'kerbside-local-caller', readConfig({}), false],
    ['the local key in local mode', 'kerbside-local-caller', local, true],
  ])('is checked: %s', (_, key, of, isAccepted) => {
    expect(isCallerKey(key, of)).toBe(isAccepted)
  })
})
