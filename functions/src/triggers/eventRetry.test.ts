import { expect, it } from 'vitest'
import { RETRY_WINDOW_MS, retryUntilExpired, type EventDelivery } from './eventRetry'

const NOW = Date.UTC(2026, 10, 20, 15)
const failed = new Error('no connection')
/**
 * Delivers an event of this age to an action that always fails. Returns the events that were given
 * up.
 */
const delivered = async (age: number): Promise<string[]> => {
  const givenUp: string[] = []
  const delivery: EventDelivery = { name: 'audit', eventId: 'e1', occurredAt: NOW - age }
  const onExpired = ({ eventId }: EventDelivery, fault: unknown) =>
    givenUp.push(`${eventId} ${String(fault)}`)
  await retryUntilExpired(delivery, { now: NOW, onExpired }, () => Promise.reject(failed))
  return givenUp
}

it('delivers a failing event again for hours', async () => {
  await expect(delivered(0)).rejects.toBe(failed)
  await expect(delivered(RETRY_WINDOW_MS - 1)).rejects.toBe(failed)
})

it('gives up an event that still fails after hours, and reports it', async () => {
  expect(await delivered(RETRY_WINDOW_MS)).toEqual(['e1 Error: no connection'])
})

it('retries an event of unknown time until the platform gives up', async () => {
  await expect(delivered(Number.NaN)).rejects.toBe(failed)
})
