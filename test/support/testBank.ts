import { signTestMessage } from '~/functions/src/adapters/payments/providers/testProvider'
import { getSuite } from './testSuite'

/** Only local mode accepts this signature. */
const LOCAL_SECRET = 'kerbside-test-provider'

interface SignedMessage {
  body: string
  signature: string
}

/**
 * Returns the test bank's signed webhook that a checkout is paid; `ref` is the bank's own
 * reference.
 */
export const createPaidMessage = (
  { payment_id, amount }: { payment_id: string; amount: number },
  ref: string,
  over: object = {},
): SignedMessage => {
  const body = JSON.stringify({
    type: 'payment.paid',
    order_id: payment_id,
    payment_id: ref,
    amount: Math.round(amount * 100),
    currency: 'UYU',
    ...over,
  })
  return { body, signature: signTestMessage(LOCAL_SECRET, body, Math.floor(Date.now() / 1000)) }
}

/** Sends a message to our webhook, as the bank does. */
export const deliverMessage = ({ body, signature }: SignedMessage): Promise<Response> =>
  fetch(`${getSuite().urls.functions}/payment_webhook/test`, {
    method: 'POST',
    headers: { 'X-Test-Signature': signature },
    body,
  })
