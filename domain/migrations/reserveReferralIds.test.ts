import { expect, test } from 'vitest'
import { reserveReferralIds } from './reserveReferralIds'

const choose = (uid: string, owners: Record<string, string>) =>
  reserveReferralIds.choose(uid, (id) => Promise.resolve(owners[id] ?? null))

test('gives an account the same id in a second run', async () => {
  const id = await choose('u1', {})
  expect(id).toMatch(/^code\d{4}$/)
  expect(await choose('u1', { [id]: 'u1' })).toBe(id)
})

test('leaves an id to its owner', async () => {
  const id = await choose('u1', {})
  expect(await choose('u1', { [id]: 'u2' })).not.toBe(id)
})

test('ends with an error when every candidate is taken', async () => {
  const taken = reserveReferralIds.choose('u1', () => Promise.resolve('u2'))
  await expect(taken).rejects.toThrow('All referral ids for users/u1 are taken.')
})
