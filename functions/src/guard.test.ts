import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { forAnyone, forUsers } from './definition'
import { answer, counterOf, isOverLimit } from './guard'
import { memoryDatabase } from './ports/memoryDatabase'
import { refusedKey, somePorts } from './testing'

const echo = forUsers({
  name: 'echo',
  summary: '',
  input: v.object({ word: v.string(), inner: v.optional(v.object({ n: v.number() })) }),
  allow: ['admin'],
  limit: 3,
  answers: '',
  refuses: [],
  fieldKeys: { word: 'select_proper' },
  handle: ({ word }, { actor }) => Promise.resolve({ word, by: actor.uid }),
})
const open = forAnyone({
  ...echo,
  name: 'open',
  allow: ['maps-key', 'signed-in'],
  handle: () => Promise.resolve('in'),
})

const people = {
  users: {
    boss: { usertype: 'admin', approved: true },
    rider: { usertype: 'rider', approved: true },
    waiting: { usertype: 'admin', approved: false },
    odd: { usertype: 'pilot', approved: true },
  },
}
const ports = () => somePorts({ db: memoryDatabase(people) })
const call = (uid: string | null, input: unknown = { word: 'hi' }) => ({
  input,
  caller: uid === null ? null : { uid },
  mapsKey: false,
  ip: '10.0.0.1',
  now: 1_700_000_000_000,
})

describe('who gets in', () => {
  it('an admin is answered', async () => {
    expect(await answer(echo, call('boss'), ports())).toEqual({ word: 'hi', by: 'boss' })
  })
  it.each([
    ['nobody', null, 'must_login'],
    ['somebody without a profile', 'ghost', 'user_issue_contact_admin'],
    ['another user type', 'rider', 'not_allowed'],
    ['an admin whose approval was taken away', 'waiting', 'require_approval'],
    ['a user type the product does not know', 'odd', 'not_valid_user_type'],
  ])('%s is refused', async (_, uid, key) => {
    expect(await refusedKey(answer(echo, call(uid), ports()))).toBe(key)
  })
  it('the maps key opens what asks for it, and nothing else', async () => {
    expect(await answer(open, { ...call(null), mapsKey: true }, ports())).toBe('in')
    expect(await refusedKey(answer(open, call(null), ports()))).toBe('must_login')
    expect(await refusedKey(answer(echo, { ...call(null), mapsKey: true }, ports()))).toBe(
      'must_login',
    )
  })
})

describe('bad input', () => {
  it.each([
    [{}, 'select_proper', 'word'],
    [{ word: 5 }, 'select_proper', 'word'],
    [{ word: 'a', inner: { n: 'b' } }, 'bad_input', 'inner.n'],
    ['text', 'bad_input', 'body'],
    [null, 'select_proper', 'word'],
  ])('%j names the field at fault', async (input, key, field) => {
    await expect(answer(echo, call('boss', input), ports())).rejects.toMatchObject({
      refusal: { key, field },
    })
  })
})

describe('the limit of a minute', () => {
  const now = 1_700_000_040_000
  it('refuses the call after the last allowed one', async () => {
    const { db } = ports()
    const over = []
    for (let i = 0; i < 5; i++) over.push(await isOverLimit(db, echo, 'boss', now))
    expect(over).toEqual([false, false, false, true, true])
  })
  it('slides: half a minute later half of the minute before still counts', async () => {
    const { db } = ports()
    for (let i = 0; i < 3; i++) await isOverLimit(db, echo, 'boss', now)
    const next = now + 60_000
    expect(await isOverLimit(db, echo, 'boss', next + 30_000)).toBe(false)
    expect(await isOverLimit(db, echo, 'boss', next + 30_000)).toBe(true)
    expect(await isOverLimit(db, echo, 'boss', next + 60_000 * 2)).toBe(false)
  })
  it('counts callers and endpoints apart', async () => {
    const { db } = ports()
    for (let i = 0; i < 4; i++) await isOverLimit(db, echo, 'boss', now)
    expect(await isOverLimit(db, echo, 'rider', now)).toBe(false)
    expect(await isOverLimit(db, open, 'boss', now)).toBe(false)
  })
  it('keeps no address, only its hash', () => {
    const counter = counterOf({ caller: null, ip: '203.0.113.7' }, 'salt')
    expect(counter).toMatch(/^ip-[A-Za-z0-9_-]{22}$/)
    expect(counter).not.toBe(counterOf({ caller: null, ip: '203.0.113.8' }, 'salt'))
  })
})
