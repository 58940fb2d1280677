import { roundAmount } from '../money/money'
import { getBonusEntryKey, type PendingBonus } from './pendingBonus'
import type { Booking } from '../booking/types'
import type { Currency } from '../catalog/types'
import type { User } from '../accounts/types'

/** The records that a bonus which waits must agree with. */
interface BonusTree {
  'internal/pending_bonuses'?: Record<string, PendingBonus>
  users: Record<string, User>
  bookings: Record<string, Booking>
  findCurrency: (at: number) => Currency
  hasAllRecords(key: string): boolean
}

/** Returns what contradicts a bonus in the record of the new user, whose account may be deleted. */
const findReferredFault = (
  { uid, referred }: PendingBonus,
  newcomer: User | undefined,
): string | undefined => {
  if (!newcomer) return undefined
  if (!newcomer.referralRewarded) return `users/${referred} has not earned it`
  return uid === referred || newcomer.signupViaReferral === uid
    ? undefined
    : `users/${referred} was not invited by users/${uid}`
}

/** Finds bonuses that are paid, were not earned, or belong to neither side of the referral. */
export const findBonusViolations = ({
  'internal/pending_bonuses': bonuses = {},
  users,
  bookings,
  findCurrency,
  hasAllRecords,
}: BonusTree): string[] =>
  Object.entries(bonuses).flatMap(([key, bonus]) => {
    const { uid, referred, booking, amount, at } = bonus
    const isAmount = amount > 0 && Object.is(amount, roundAmount(amount, findCurrency(at).decimal))
    const isEarned = bookings[booking]?.paid_at === at
    const isPaid = users[uid]?.walletHistory?.[getBonusEntryKey(referred)] !== undefined
    return [
      isAmount ? undefined : `${amount} is no amount`,
      isEarned || !hasAllRecords(booking) ? undefined : `bookings/${booking} did not earn it`,
      isPaid && hasAllRecords(uid) ? `users/${uid} has it already` : undefined,
      hasAllRecords(referred) ? findReferredFault(bonus, users[referred]) : undefined,
    ]
      .filter((fault) => fault !== undefined)
      .map((fault) => `internal/pending_bonuses/${key}: ${fault}`)
  })
