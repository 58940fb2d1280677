import type { DatabaseValue } from '../data/databaseValue'
import { internalPaths } from '../data/internalPaths'
import { DAY_MS } from '../language/timeUnits'
import type { Settings } from '../catalog/types'
import type { Milliseconds } from '../language/units'

/** The reference of a referral bonus in a wallet. */
export const REFERRAL_REF = 'Referral'

/** A referral bonus that is paid later, at internal/pending_bonuses/{uid}_{referred}. */
export interface PendingBonus {
  /** The person who gets it: the new user or their referrer. */
  uid: string
  /** The new user. */
  referred: string
  /** The paid booking that earned it. */
  booking: string
  amount: number
  /** The currency of the amount, ISO 4217. */
  code: string
  /** When it was earned, ms. */
  at: number
  /** When it is paid, or decided about again, ms. */
  due: number
  revision: number
}

/** Returns the key of the bonus in a wallet's history, which a wallet can have once. */
export const getBonusEntryKey = (referred: string): string => `${referred}-referral`

/** Returns the milliseconds from the first paid booking to the payment of its bonuses. */
export const getBonusDelayMs = ({
  bonusDelayDays = 0,
}: Pick<Settings, 'bonusDelayDays'>): Milliseconds => bonusDelayDays * DAY_MS

/** Returns the update that lets a bonus wait for its payment. */
export const buildPendingBonus = (
  earned: Pick<PendingBonus, 'uid' | 'referred' | 'booking' | 'amount' | 'at'>,
  settings: Pick<Settings, 'code' | 'bonusDelayDays'>,
): Record<string, DatabaseValue> => {
  const { uid, referred, at } = earned
  const due = at + getBonusDelayMs(settings)
  const bonus: PendingBonus = { ...earned, code: settings.code, due, revision: 1 }
  return { [internalPaths.pendingBonus(uid, referred)]: { ...bonus } }
}
