import { getDeployedPath } from '~/domain/api/functionGroups'
import { DEFAULT_REGION } from '../../deploymentValues'
import type { PaymentUrls } from '../../ports/payments'
import type { Env } from '../../ports/paymentAdapter'

const trimTrailingSlashes = (url: string) => url.replace(/\/+$/, '')

/**
 * Builds addresses from the configuration only, never from a request, so that an attacker can't
 * redirect a payer. Local mode reads its ports from KERBSIDE_FUNCTIONS_URL and KERBSIDE_WEB_URL;
 * production may set them for its own domains.
 */
export const createPaymentUrls = (env: Env): PaymentUrls => {
  const local = env.FUNCTIONS_EMULATOR === 'true'
  const project = env.GCLOUD_PROJECT ?? ''
  const functions = trimTrailingSlashes(
    env.KERBSIDE_FUNCTIONS_URL ||
      (local
        ? `http://127.0.0.1:5001/${project}/${DEFAULT_REGION}`
        : `https://${env.KERBSIDE_REGION || DEFAULT_REGION}-${project}.cloudfunctions.net`),
  )
  const [firstOrigin = ''] = (env.KERBSIDE_ORIGINS ?? '').split(',')
  const web = trimTrailingSlashes(
    env.KERBSIDE_WEB_URL ||
      firstOrigin.trim() ||
      (local ? 'http://127.0.0.1:5050' : `https://${project}.web.app`),
  )
  const toUrl = (endpoint: string) => `${functions}/${local ? endpoint : getDeployedPath(endpoint)}`
  const back = (provider: string, payment: string) =>
    `${toUrl('payment_return')}/${provider}?payment=${encodeURIComponent(payment)}`
  return {
    checkout: (provider) => toUrl(`pay_${provider}`),
    return: back,
    cancel: (provider, payment) => `${back(provider, payment)}&hint=cancelled`,
    webhook: (provider) => `${toUrl('payment_webhook')}/${provider}`,
    messageWebhook: (service) => `${toUrl('message_webhook')}/${service}`,
    appReturnPage: (payment, hint) => {
      const query = new URLSearchParams({ payment, ...(hint && { hint }) })
      return `${web}/payment-return?${query.toString()}`
    },
    appOrigin: new URL(web).origin,
  }
}
