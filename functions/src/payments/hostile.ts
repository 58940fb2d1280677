// What every provider's messages are tried with. Never imported by what is deployed.
import { expect, it } from 'vitest'
import type { Adapter, Incoming } from './adapter'
import { Forged } from './adapter'

interface Trial {
  adapter: () => Adapter | null
  /** A message the adapter takes. */
  good: () => Incoming
  /** The same with its signature taken away, and with another's. */
  unsigned: (message: Incoming) => Incoming
  forged: (message: Incoming) => Incoming
}

const flipped = (body: Buffer): Buffer => {
  const copy = Buffer.from(body)
  const at = Math.floor(copy.length / 3)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/** One flipped bit, half a message, none, no signature, another's: each is refused. The good one is not. */
export const refusesForgeries = ({ adapter, good, unsigned, forged }: Trial) => {
  const hear = (message: Incoming) => Promise.resolve().then(() => adapter()?.notified(message))
  it('takes its own message', async () => {
    expect((await hear(good()))?.events).toHaveLength(1)
  })
  it.each<[string, (message: Incoming) => Incoming]>([
    ['one flipped bit', (m) => ({ ...m, body: flipped(m.body) })],
    ['half of it', (m) => ({ ...m, body: m.body.subarray(0, m.body.length / 2) })],
    ['nothing of it', (m) => ({ ...m, body: Buffer.alloc(0) })],
    ['no signature', unsigned],
    ['somebody else’s signature', forged],
  ])('refuses %s', async (_, spoil) => {
    await expect(hear(spoil(good()))).rejects.toThrow(Forged)
  })
}
