import { expect, test } from 'vitest'
import { violations, type DatabaseTree } from '../invariants'
import { platform } from '../testing/platform'
import { randomFrom } from '../testing/random'

const HISTORIES = 50
const STEPS = 200

test('after every step of thousands, legal and illegal, money, totals, queues, promos and tasks agree', () => {
  const ends = new Map<string, number>()
  const lost = new Map<string, number>()
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { tree, step } = platform(randomFrom(seed))
    const story: string[] = []
    for (let n = 0; n < STEPS; n++) {
      const { did, wrong } = step()
      story.push(did)
      const race = /lost: (.*)\)$/.exec(did)?.[1]
      if (race) lost.set(race, (lost.get(race) ?? 0) + 1)
      const found = [...(wrong ? [wrong] : []), ...violations(tree as DatabaseTree)]
      if (found.length > 0)
        expect.fail(
          `seed ${seed}, step ${n}\n${found.join('\n')}\n— ${story.slice(-12).join('\n— ')}`,
        )
    }
    for (const { status } of Object.values((tree as DatabaseTree).bookings ?? {}))
      ends.set(status, (ends.get(status) ?? 0) + 1)
  }
  // The histories must really go everywhere, or they prove nothing.
  expect([...ends.keys()].sort()).toEqual([
    'ACCEPTED',
    'ARRIVED',
    'CANCELLED',
    'COMPLETE',
    'NEW',
    'PAID',
    'PAYMENT_PENDING',
    'PENDING',
    'REACHED',
    'STARTED',
  ])
  expect(ends.get('COMPLETE')).toBeGreaterThan(20)
  expect([...lost.keys()].sort()).toEqual(['queue', 'revision'])
}, 120_000)
