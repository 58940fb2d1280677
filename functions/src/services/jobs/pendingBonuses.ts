import type { BonusFacts } from '~/domain/bonuses/bonusDecision'
import { payPendingBonus } from '~/domain/bonuses/bonusPayment'
import { getBonusEntryKey, type PendingBonus } from '~/domain/bonuses/pendingBonus'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { logError } from '../../logs'
import { commitWithRetry } from '../bookings/commitRetry'
import { readUser, type DatabasePort } from '../../ports/database'
import { readCardPayments } from '../bookings/eventContext/records'
import { readWithId } from '../bookings/eventContext/eventReads'
import { readSettings } from '../office/settings'
import { iterateDue } from './dueRecords'
import { createTimeBudget } from './timeBudget'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

type BonusPorts = Pick<Ports, 'db' | 'push' | 'clock' | 'random'>

/** Bonuses that are read at once. */
const PAGE_SIZE = 50
/** No bonus is begun after this time. The next run continues with the one due longest. */
const RUN_BUDGET_MS = 10_000

const readPeople = async (
  db: DatabasePort,
  { uid, referred: newcomer }: PendingBonus,
  booking: Booking | null,
): Promise<BonusFacts['people']> => {
  const readPerson = async (id: string | undefined) => (id ? readUser<User>(db, id) : null)
  const [referred, customer, driver] = await Promise.all([
    readPerson(newcomer),
    readPerson(booking?.customer),
    readPerson(booking?.driver),
  ])
  const referrer = await readPerson(uid === newcomer ? referred?.signupViaReferral : uid)
  return { referred, referrer, customer, driver }
}

/** Reads everything that decides what happens to a bonus. */
const readBonusFacts = async (db: DatabasePort, bonus: PendingBonus): Promise<BonusFacts> => {
  const { uid, referred } = bonus
  const [settings, entry, booking] = await Promise.all([
    readSettings(db),
    db.read(dbPaths.walletEntry(uid, getBonusEntryKey(referred))),
    readWithId<Booking>(db, bonus.booking, dbPaths.booking),
  ])
  const [people, cardPayments] = await Promise.all([
    readPeople(db, bonus, booking),
    readCardPayments(db, booking),
  ])
  return { settings, people, isPaid: entry !== null, booking, cardPayments }
}

/** Pays one bonus, drops it, or lets it wait longer. Returns true when this run paid it. */
const settleBonus = (ports: BonusPorts, key: string, now: number): Promise<boolean> =>
  commitWithRetry(ports, { subject: key, event: 'pay_bonus' }, async () => {
    const bonus = await ports.db.read<PendingBonus>(`${internalPaths.pendingBonuses}/${key}`)
    // Another run has settled it, or lets it wait.
    if (!bonus || bonus.due > now) return { stateRead: null, now, result: false }
    const facts = await readBonusFacts(ports.db, bonus)
    const effect = payPendingBonus(bonus, facts, now)
    return { stateRead: [bonus, facts], now, effect, result: effect.pushes.length > 0 }
  })

/**
 * Pays the referral bonuses that are due, those due longest first. Safe to run twice at once,
 * because the credit and the removal are one write and a wallet has each bonus once: the rules
 * refuse the second write. They also refuse to let a bonus wait longer that another run has
 * settled, because a record begins with revision 1. Returns the number of bonuses that this run
 * paid.
 */
export const payDueBonuses = async (
  ports: BonusPorts,
  now: number,
  hasTime: () => boolean = createTimeBudget(RUN_BUDGET_MS),
): Promise<number> => {
  const path = internalPaths.pendingBonuses
  let paid = 0
  const query = { path, by: 'due', now, size: PAGE_SIZE } as const
  for await (const page of iterateDue<PendingBonus>(ports.db, query))
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
