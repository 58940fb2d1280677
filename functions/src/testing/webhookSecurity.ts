// Security tests for every provider's messages. Deployed code never imports this file.
import { expect, it } from 'vitest'
import type { Adapter, WebhookRequest } from '../ports/paymentAdapter'
import { InvalidSignatureError } from '../ports/paymentAdapter'

interface WebhookSecurityCase {
  adapter: () => Adapter | null
  /** Creates a message that the adapter accepts. */
  createValid: () => WebhookRequest
  /** Returns the message without its signature, or, in the next function, with another sender's. */
  removeSignature: (message: WebhookRequest) => WebhookRequest
  forgeSignature: (message: WebhookRequest) => WebhookRequest
}

const flipBit = (body: Buffer): Buffer => {
  const copy = Buffer.from(body)
  const at = Math.floor(copy.length / 3)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/**
 * Tests that the adapter refuses one flipped bit, half a message, an empty one, and a missing or
 * foreign signature, and accepts a valid message.
 */
export const testWebhookSecurity = ({
  adapter,
  createValid,
  removeSignature,
  forgeSignature,
}: WebhookSecurityCase) => {
  const parse = (message: WebhookRequest) =>
    Promise.resolve().then(() => adapter()?.parseWebhook(message))
  it('accepts its own message', async () => {
    expect((await parse(createValid()))?.events).toHaveLength(1)
  })
  it.each<[string, (message: WebhookRequest) => WebhookRequest]>([
    ['one flipped bit', (m) => ({ ...m, body: flipBit(m.body) })],
    ['half of it', (m) => ({ ...m, body: m.body.subarray(0, m.body.length / 2) })],
    ['nothing of it', (m) => ({ ...m, body: Buffer.alloc(0) })],
    ['no signature', removeSignature],
    ['somebody else’s signature', forgeSignature],
  ])('refuses %s', async (_, tamper) => {
    await expect(parse(tamper(createValid()))).rejects.toThrow(InvalidSignatureError)
  })
}
