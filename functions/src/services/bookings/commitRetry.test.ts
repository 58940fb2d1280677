import { describe, expect, it } from 'vitest'
import { getErrorKey, createTestPorts } from '../../testing/testPorts'
import { DomainException, fail } from '../../domainException'
import { commitOrFail, commitWithRetry } from './commitRetry'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'

/** The rules allow the functions only the next number at this path. */
const COUNTER = 'internal/counters/one/revision'
const start = { internal: { counters: { one: { revision: 1 } } } }

const log = { subject: 'somebody', event: 'something' }
/**
 * Creates a counter whose first `conflicts` writes are refused, as if another caller had written
 * first.
 */
const contended = (conflicts: number) => {
  const db = createTestDatabase(start)
  let left = conflicts
  const rests: number[] = []
  const port: DatabasePort = {
    ...db,
    update: (updates) => {
      if (left-- <= 0) return db.update(updates)
      db.put({ [COUNTER]: Number(db.at(COUNTER)) + 10 })
      return db.update(updates)
    },
  }
  const clock = { now: () => 1, wait: (ms: number) => Promise.resolve(void rests.push(ms)) }
  const parts = createTestPorts({ db: port, clock })
  let decisions = 0
  const add = async () => {
    decisions += 1
    const count = await port.read<number>(COUNTER)
    const effect = { updates: { [COUNTER]: (count ?? 0) + 1 }, pushes: [] }
    return { stateRead: count, now: 1, effect, result: (count ?? 0) + 1 }
  }
  return { db, parts, add, rests, decisions: () => decisions }
}

describe('a write that is retried after lost races', () => {
  it('starts from the winner’s value and is applied once', async () => {
    const { db, parts, add, rests, decisions } = contended(3)
    expect(await commitWithRetry(parts, log, add)).toBe(32)
    expect(db.at(COUNTER)).toBe(32)
    expect(decisions()).toBe(4)
    expect(rests).toHaveLength(3)
  })
  it('survives far more lost races than the limit for repeated refusals', async () => {
    const { db, parts, add } = contended(60)
    expect(await commitWithRetry(parts, log, add)).toBe(602)
    expect(db.at(COUNTER)).toBe(602)
  })
  it('writes nothing when its entry already exists', async () => {
    const { db, parts } = contended(0)
    const decide = () => Promise.resolve({ stateRead: 1, now: 1, result: 'as the first time' })
    expect(await commitWithRetry(parts, log, decide)).toBe('as the first time')
    expect(db.getCommitCount()).toBe(0)
  })
  it('ends with the refusal of a later attempt', async () => {
    const { db, parts, add } = contended(2)
    let tries = 0
    const decide = () =>
      ++tries === 3 ? Promise.resolve().then(() => fail('wallet_too_low')) : add()
    await expect(commitWithRetry(parts, log, decide)).rejects.toThrow(DomainException)
    expect(db.at(COUNTER)).toBe(21)
  })
  it('stops when the same decision is refused repeatedly', async () => {
    const closed: DatabasePort = {
      ...createTestDatabase(start),
      update: () => Promise.reject(new WriteConflictError()),
    }
    const parts = createTestPorts({ db: closed })
    let decisions = 0
    const decide = () => {
      decisions += 1
      return Promise.resolve({
        stateRead: 1,
        now: 1,
        effect: { updates: { [COUNTER]: 2 }, pushes: [] },
        result: 2,
      })
    }
    await expect(commitWithRetry(parts, log, decide)).rejects.toThrow(WriteConflictError)
    expect(decisions).toBe(8)
    expect(await getErrorKey(commitOrFail(parts, log, decide))).toBe('changed_meanwhile')
  })
  it('does not retry a failure other than a conflict', async () => {
    let updates = 0
    const broken: DatabasePort = {
      ...createTestDatabase(start),
      update: () => {
        updates += 1
        return Promise.reject(new Error('The connection is down.'))
      },
    }
    const decide = () =>
      Promise.resolve({
        stateRead: 1,
        now: 1,
        effect: { updates: { [COUNTER]: 2 }, pushes: [] },
        result: 2,
      })
    const parts = createTestPorts({ db: broken })
    await expect(commitOrFail(parts, log, decide)).rejects.toThrow('down')
    expect(updates).toBe(1)
  })
})
