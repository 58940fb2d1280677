import { getBonusEntryKey, payPendingBonus, type PendingBonus } from '~/domain/bonuses/pendingBonus'
import { dbPaths } from '~/domain/databasePaths'
import type { Booking } from '~/domain/entities'
import { internalPaths } from '~/domain/internalPaths'
import type { Ports } from '../http/endpointTypes'
import { logError } from '../logs'
import { commitWithRetry } from '../ports/commitRetry'
import { readWallet, type DatabasePort } from '../ports/database'
import { readCardPayments } from '../ports/eventContext/records'
import { readWithId } from '../ports/eventContext/loadSubject'
import { readSettings } from '../settings'
import { iterateDue } from './dueRecords'
import { createTimeBudget } from './timeBudget'

type BonusPorts = Pick<Ports, 'db' | 'push' | 'clock' | 'random'>

/** Bonuses that are read at once. */
const PAGE_SIZE = 50
/** No bonus is begun after this time. The next run continues with the one due longest. */
const RUN_BUDGET_MS = 10_000

/** Reads everything that decides what happens to a bonus. */
const readBonusFacts = async (db: DatabasePort, bonus: PendingBonus) => {
  const { uid, referred } = bonus
  const [settings, wallet, entry, booking] = await Promise.all([
    readSettings(db),
    readWallet(db, uid),
    db.read(dbPaths.walletEntry(uid, getBonusEntryKey(referred))),
    readWithId<Booking>(db, bonus.booking, dbPaths.booking),
  ])
  const cardPayments = await readCardPayments(db, booking)
  return { settings, wallet, isPaid: entry !== null, booking, cardPayments }
}

/** Pays one bonus, or removes it. Returns true when this run paid it. */
const settleBonus = (ports: BonusPorts, key: string, now: number): Promise<boolean> =>
  commitWithRetry(ports, { subject: key, event: 'pay_bonus' }, async () => {
    const bonus = await ports.db.read<PendingBonus>(`${internalPaths.pendingBonuses}/${key}`)
    // Another run has settled it.
    if (!bonus) return { stateRead: null, now, result: false }
    const facts = await readBonusFacts(ports.db, bonus)
    const effect = payPendingBonus(bonus, facts, now)
    return { stateRead: [bonus, facts], now, effect, result: effect.pushes.length > 0 }
  })

/**
 * Pays the referral bonuses that are due, those due longest first. Safe to run twice at once,
 * because the credit and the removal are one write and a wallet has each bonus once: the rules
 * refuse the second write. Returns the number of bonuses that this run paid.
 */
export const payDueBonuses = async (
  ports: BonusPorts,
  now: number,
  hasTime: () => boolean = createTimeBudget(RUN_BUDGET_MS),
): Promise<number> => {
  const path = internalPaths.pendingBonuses
  let paid = 0
  for await (const page of iterateDue<PendingBonus>(ports.db, path, 'due', now, PAGE_SIZE))
    for (const [key] of page) {
      if (!hasTime()) return paid
      try {
        if (await settleBonus(ports, key, now)) paid += 1
      } catch (error) {
        // The bonus stays due, and the others are paid.
        logError('sweep', error)
      }
    }
  return paid
}
