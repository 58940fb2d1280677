import { dbPaths } from '../data/databasePaths'
import { toJson, type DatabaseValue } from '../data/databaseValue'
import {
  escapeKeyPart,
  type Dispute,
  type PaymentAttempt,
  type PaymentEvent,
} from './paymentAttempt'

/** Returns the disputes of an attempt by their keys. */
export const getDisputes = ({ details }: PaymentAttempt): Record<string, Dispute> =>
  details?.disputes ?? {}

/** Returns the key of a dispute: the provider's id of it, or of the payment. */
export const createDisputeKey = ({ refundId, ref }: PaymentEvent): string =>
  escapeKeyPart(refundId ?? ref)

/** Returns true when money of a won dispute waits for a decision. */
export const hasWaitingDispute = (disputes: Readonly<Record<string, Dispute>>): boolean =>
  Object.values(disputes).some(({ waiting }) => waiting)

/** Returns the update of an attempt's dispute. Parts of 0 are left out. */
const buildDisputeUpdates = (
  { id }: PaymentAttempt,
  key: string,
  { at, amount, taken, ...parts }: Dispute,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.payment(id)}/details/disputes/${key}`]: toJson({
    at,
    amount,
    taken,
    ...Object.fromEntries(Object.entries(parts).filter(([, part]) => part)),
  }),
})

/** Returns the updates of the attempt's disputes that a change has replaced. */
export const buildChangedDisputes = (
  attempt: PaymentAttempt,
  disputes: Readonly<Record<string, Dispute>>,
): Record<string, DatabaseValue> =>
  Object.fromEntries(
    Object.entries(disputes)
      .filter(([key, dispute]) => dispute !== getDisputes(attempt)[key])
      .flatMap(([key, dispute]) => Object.entries(buildDisputeUpdates(attempt, key, dispute))),
  )
