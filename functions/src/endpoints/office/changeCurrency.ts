import {
  buildCurrencyUpdates,
  toCurrency,
  planCurrencyChange,
  checkCurrencyChange,
  isSameCurrency,
  MIN_COUNTED_BALANCE,
  UNSETTLED_STATUSES,
  type CurrencyChangeRows,
  type CurrencyChangePlan,
} from '~/domain/money/currencyChange'
import { dbPaths } from '~/domain/data/databasePaths'
import { CHECKOUT_EXPIRY_HOURS, type PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { checkAction } from '~/domain/access/permissions'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort, Query } from '../../ports/database'
import { unwrap, fail, throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { UserRequestContext } from '../../ports/requestContext'
import type { Booking } from '~/domain/booking/types'
import type { Currency, Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

/**
 * The maximum number of rows read of each kind. It is low because user records include their
 * history.
 */
const MAX_ROWS = 50
const MAX_PAYMENT_ROWS = 500
const MAX_BALANCE = 1e12

/** Changes the platform's currency when no open amounts remain in the old one. */
export const change_currency = defineUserEndpoint({
  name: 'change_currency',
  summary:
    'Changes the currency: code, decimals (ISO 4217) and symbol in one write. `dry_run` only returns the plan of everything that is left in the old currency. Refused while a wallet is not empty, a booking is unsettled, a payment or refund is open or a withdrawal is unpaid.',
  allow: ['admin'],
  limit: 30,
  spends: [],
  needsFreshSignIn: false,
  errors: ['bad_input', 'demo_mode', 'currency_in_use', 'changed_meanwhile'],
  async handle({ code, symbol, dry_run }, context) {
    const { actor, db, now } = context
    const settings = await readSettings(db)
    throwIfError(checkAction('settings_save', actor.role, settings))
    const to = unwrap(toCurrency(code, symbol, settings))
    if (isSameCurrency(settings, to)) {
      // This is either a repeat of a completed change or a new symbol, and neither changes the
      // meaning of an amount.
      if (to.symbol !== settings.symbol && !dry_run)
        await db.update({
          [`${dbPaths.settings}/symbol`]: to.symbol,
          ...buildCurrencyAudit(context, settings, to),
        })
      return { ...to, changed: !dry_run, plan: null }
    }
    if (dry_run) {
      const plan = planCurrencyChange(settings, to, await readOpenAmounts(db, now), now)
      return { ...to, changed: false, plan }
    }
    return { ...to, changed: true, plan: await changeUnderHold(context, settings, to) }
  },
})

const buildCurrencyAudit = ({ actor, now }: UserRequestContext, from: Settings, to: Currency) => {
  const { code, decimal, symbol } = from
  const entry = { by: actor.uid, at: now, action: 'currency_change', path: dbPaths.settings }
  return buildAuditEntry({ ...entry, from: { code, decimal, symbol }, to }, 'currency')
}

/**
 * Checks for open amounts and changes the currency while a hold in the database blocks new ones in
 * the old currency. The hold expires by itself if the process dies.
 */
const changeUnderHold = async (
  context: UserRequestContext,
  settings: Settings,
  to: Currency,
): Promise<CurrencyChangePlan> => {
  const { db, now } = context
  const held = dbPaths.currencyHold
  await failOnConflict(db.update({ [held]: now }))
  let changed = false
  try {
    const plan = planCurrencyChange(settings, to, await readOpenAmounts(db, now), now)
    throwIfError(checkCurrencyChange(plan))
    await failOnConflict(
      db.update({
        ...buildCurrencyUpdates(settings, to, now),
        ...buildCurrencyAudit(context, settings, to),
      }),
    )
    changed = true
    return plan
  } finally {
    if (!changed) await db.update({ [held]: null })
  }
}

/**
 * Turns a write conflict into a refusal. The rules refuse a second hold, and a change after its
 * hold has expired.
 */
const failOnConflict = async (write: Promise<void>) => {
  try {
    await write
  } catch (error) {
    if (error instanceof WriteConflictError) fail('changed_meanwhile')
    throw error
  }
}

const readOpenAmounts = async (db: DatabasePort, now: number): Promise<CurrencyChangeRows> => {
  const entries = async <T>(path: string, query: Query, most = MAX_ROWS) => {
    const matches = await db.list<T>(path, { ...query, first: most + 1 })
    return { rows: matches.slice(0, most), hasMore: matches.length > most }
  }
  const rows = async <T>(path: string, query: Query) => {
    const page = await entries<T>(path, query)
    return { ...page, rows: page.rows.map(([, row]) => row) }
  }
  type Found<T> = Awaited<ReturnType<typeof rows<T>>>
  const together = <T>(parts: Found<T>[]): Found<T> => ({
    rows: parts.flatMap((part) => part.rows),
    hasMore: parts.some(({ hasMore }) => hasMore),
  })
  const by = 'walletBalance'
  const [above, below, withdraws, payments, ...bookings] = await Promise.all([
    rows<User>('users', { by, startAt: MIN_COUNTED_BALANCE, endAt: MAX_BALANCE }),
    rows<User>('users', { by, startAt: -MAX_BALANCE, endAt: -MIN_COUNTED_BALANCE }),
    rows<Withdrawal>('withdraws', { by: 'processed', equalTo: false }),
    Promise.all([
      entries<PaymentAttempt>(
        'payments',
        { by: 'createdAt', startAt: now - CHECKOUT_EXPIRY_HOURS * HOUR_MS },
        MAX_PAYMENT_ROWS,
      ),
      entries<PaymentAttempt>('payments', { by: 'problem', startAt: '' }),
      // A refund that the job no longer checks with its provider has a problem instead.
      entries<PaymentAttempt>('payments', { by: 'refund_due', startAt: 1 }),
    ]),
    ...UNSETTLED_STATUSES.map((status) =>
      rows<Booking>('bookings', { by: 'status', equalTo: status }),
    ),
  ])
  return {
    wallets: together([above, below]),
    bookings: together(bookings),
    payments: {
      // Several queries may return the same attempt.
      rows: [...new Map(payments.flatMap((part) => part.rows)).values()],
      hasMore: payments.some(({ hasMore }) => hasMore),
    },
    withdraws,
  }
}
