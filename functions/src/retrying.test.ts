import { expect, it } from 'vitest'
import { RETRIED_MS, whileYoung, type Delivery } from './retrying'

const NOW = Date.UTC(2026, 10, 20, 15)
const failed = new Error('no connection')
/** Delivers an event of this age to what always fails; answers with what was given up. */
const delivered = async (age: number): Promise<string[]> => {
  const givenUp: string[] = []
  const delivery: Delivery = { name: 'audit', eventId: 'e1', happenedAt: NOW - age }
  const giveUp = ({ eventId }: Delivery, fault: unknown) => givenUp.push(`${eventId} ${fault}`)
  await whileYoung(delivery, { now: NOW, giveUp }, () => Promise.reject(failed))
  return givenUp
}

it('an event that fails is delivered again for hours', async () => {
  await expect(delivered(0)).rejects.toBe(failed)
  await expect(delivered(RETRIED_MS - 1)).rejects.toBe(failed)
})

it('an event that still fails after hours is given up, and that is told', async () => {
  expect(await delivered(RETRIED_MS)).toEqual(['e1 Error: no connection'])
})

it('an event whose time nobody knows is tried until the platform gives up', async () => {
  await expect(delivered(Number.NaN)).rejects.toBe(failed)
})
