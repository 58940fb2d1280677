import { REGION } from '../http'
import type { PaymentUrls } from '../ports/payments'
import type { Env } from './adapter'

const trimmed = (url: string) => url.replace(/\/+$/, '')

/**
 * Addresses from the configuration alone, never from a request, so that nobody can send a payer elsewhere. Local mode knows
 * its ports from KERBSIDE_FUNCTIONS_URL and KERBSIDE_WEB_URL; production may set them for its own domains.
 */
export const paymentUrls = (env: Env): PaymentUrls => {
  const local = env.FUNCTIONS_EMULATOR === 'true'
  const project = env.GCLOUD_PROJECT ?? ''
  const functions = trimmed(
    env.KERBSIDE_FUNCTIONS_URL ||
      (local
        ? `http://127.0.0.1:5001/${project}/${REGION}`
        : `https://${REGION}-${project}.cloudfunctions.net`),
  )
  const [firstOrigin = ''] = (env.KERBSIDE_ORIGINS ?? '').split(',')
  const web = trimmed(
    env.KERBSIDE_WEB_URL ||
      firstOrigin.trim() ||
      (local ? 'http://127.0.0.1:5050' : `https://${project}.web.app`),
  )
  const back = (provider: string, payment: string) =>
    `${functions}/payment_return/${provider}?payment=${encodeURIComponent(payment)}`
  return {
    pay: (provider) => `${functions}/pay_${provider}`,
    return: back,
    cancel: (provider, payment) => `${back(provider, payment)}&hint=cancelled`,
    webhook: (provider) => `${functions}/payment_webhook/${provider}`,
    app: (payment, hint) => {
      const query = new URLSearchParams({ payment, ...(hint && { hint }) })
      return `${web}/payment-return?${query.toString()}`
    },
    origin: new URL(web).origin,
  }
}
