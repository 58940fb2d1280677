import { inject } from 'vitest'
import { testSignature } from '~/functions/src/payments/providers/test'

/** Only local mode takes what this signs. */
const SECRET = 'kerbside-test-provider'

interface Message {
  body: string
  signature: string
}

/** The test bank's message that it has the money of a checkout, signed as it signs; `ref` is the bank's own number of it. */
export const paidMessage = (
  { payment_id, amount }: { payment_id: string; amount: number },
  ref: string,
  over: object = {},
): Message => {
  const body = JSON.stringify({
    type: 'payment.paid',
    order_id: payment_id,
    payment_id: ref,
    amount: Math.round(amount * 100),
    currency: 'UYU',
    ...over,
  })
  return { body, signature: testSignature(SECRET, body, Math.floor(Date.now() / 1000)) }
}

/** Sends a message to our door, as the bank does. */
export const deliver = ({ body, signature }: Message): Promise<Response> =>
  fetch(`${inject('urls').functions}/payment_webhook/test`, {
    method: 'POST',
    headers: { 'X-Test-Signature': signature },
    body,
  })
