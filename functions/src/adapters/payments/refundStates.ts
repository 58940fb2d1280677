import { getOwn } from '~/domain/data/ownValue'
import type { ProviderRefund } from '~/domain/payments/refunds/reconciliation'
import { ProviderError, ProviderRejectedError } from '../../ports/paymentAdapter'
import { getTextAt, type Json } from './providerHttp'

type RefundState = ProviderRefund['state']
/** The states of a provider's refunds by its own words. */
export type RefundStates = Readonly<Record<string, RefundState>>

/** Returns the state of a refund by the word at a path; any other word means that it is pending. */
export const getRefundState = (json: Json, path: string, states: RefundStates): RefundState =>
  getOwn(states, getTextAt(json, path)) ?? 'pending'

export const createRefusedRefundError = (provider: string): ProviderRejectedError =>
  new ProviderRejectedError(`${provider} refused the refund; nothing was refunded.`)

/** Returns the error of a refund whose outcome is unknown. */
export const createUnconfirmedRefundError = (provider: string): ProviderError =>
  new ProviderError(
    `${provider} did not confirm the refund. Check it in the ${provider} dashboard.`,
  )

/** Returns the state of a refund that was just sent. Throws when the provider refused it. */
export const assertAcceptedRefund = (
  provider: string,
  state: RefundState,
): Exclude<RefundState, 'failed'> => {
  if (state === 'failed') throw createRefusedRefundError(provider)
  return state
}
