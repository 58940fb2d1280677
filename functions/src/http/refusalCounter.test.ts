import { describe, expect, it } from 'vitest'
import { REFUSALS_PATH } from '~/domain/access/refusals'
import { DAY_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { list_refusals } from '../endpoints/office/listRefusals'
import { removeExpiredRefusals } from '../services/jobs/maintenance'
import {
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../testing/testPorts'
import { createTestDatabase } from '../testing/testDatabase'
import { createRefusalCounter } from './refusalCounter'
import { handleRequest } from './requestHandler'

const TODAY = Math.floor(TEST_NOW / DAY_MS)

describe('the counter of refused calls', () => {
  it('writes a flood of refusals at most once a minute', async () => {
    const db = createTestDatabase({})
    const { count } = createRefusalCounter(db)
    for (let i = 0; i < 1000; i++) await count('not_allowed', TEST_NOW + i)
    expect(db.getCommitCount()).toBe(1)
    expect(db.at(`${REFUSALS_PATH}/${TODAY}`)).toEqual({ not_allowed: 1 })
    await count('ok', TEST_NOW + MINUTE_MS)
    expect(db.getCommitCount()).toBe(2)
    expect(db.at(`${REFUSALS_PATH}/${TODAY}`)).toEqual({ not_allowed: 1000 })
  })

  it('adds up what several processes count at once', async () => {
    const db = createTestDatabase({})
    await Promise.all(
      Array.from({ length: 50 }, () => createRefusalCounter(db).count('session_ended', TEST_NOW)),
    )
    expect(db.at(`${REFUSALS_PATH}/${TODAY}`)).toEqual({ session_ended: 50 })
  })

  it('counts neither successes nor failures of ours, nor a name that is no refusal', async () => {
    const db = createTestDatabase({})
    const { count } = createRefusalCounter(db)
    for (const outcome of ['ok', 'failed', 'constructor', 'a/b']) await count(outcome, TEST_NOW)
    expect(db.getCommitCount()).toBe(0)
  })

  it('lets a call end as it would when the database refuses the count', async () => {
    const { count } = createRefusalCounter({ update: () => Promise.reject(new Error('closed')) })
    await expect(count('not_allowed', TEST_NOW)).resolves.toBeUndefined()
  })
})

describe('the refused calls', () => {
  const stored = {
    [TODAY]: { not_allowed: 4 },
    [TODAY - 6]: { demo_mode: 1 },
    [TODAY - 7]: { not_found: 9 },
  }
  const given = () => createProjectPorts({ rate_limits: { refusals: stored } })
  const send = (uid: string, ports: ReturnType<typeof given>) =>
    handleRequest(
      list_refusals,
      {
        input: {},
        caller: createCaller(ports, uid),
        hasMapsBasicAuth: false,
        ip: '10.0.0.1',
        now: TEST_NOW,
      },
      ports,
    )

  it('are listed for an admin, those of seven days, newest first', async () => {
    expect(await send('admin', given())).toEqual({
      days: [
        { day: '2026-11-20', counts: { not_allowed: 4 } },
        { day: '2026-11-14', counts: { demo_mode: 1 } },
      ],
    })
  })

  it('are an empty list without any', async () => {
    const context = createUserContext('admin', 'admin', createProjectPorts())
    expect(await list_refusals.handle({}, context)).toEqual({ days: [] })
  })

  it.each(['rider', 'driver'])('are refused to a %s', async (uid) => {
    expect(await getErrorKey(send(uid, given()))).toBe('not_allowed')
  })

  it('are removed after seven days', async () => {
    const { db } = given()
    await removeExpiredRefusals({ db }, TEST_NOW)
    await removeExpiredRefusals({ db }, TEST_NOW)
    expect(Object.keys(db.at(REFUSALS_PATH) as object)).toEqual([`${TODAY - 6}`, `${TODAY}`])
  })
})
