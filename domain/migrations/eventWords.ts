import { getOwn } from '../data/ownValue'
import type { DatabaseValue } from '../data/databaseValue'
import type { RowChange, StoredRecord } from './migration'
import { COMPLAINT_REASONS } from '../money/types'

const REASONS: readonly unknown[] = COMPLAINT_REASONS

const toRecord = (value: DatabaseValue | undefined): StoredRecord =>
  typeof value === 'object' && value !== null ? (value as StoredRecord) : {}

const without = (record: StoredRecord, field: string): StoredRecord =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== field))

const toText = (value: DatabaseValue | undefined): string =>
  typeof value === 'string' ? value : ''

/** Returns true when a party of the booking has deleted their account, and their words with it. */
const isCleared = (booking: StoredRecord): boolean =>
  (booking['customer_name'] === '' && booking['pickupAddress'] === '') ||
  booking['driver_name'] === ''

/** Returns the kind of complaint that a log entry with words settled, if it settled one. */
const findComplaintReason = (booking: StoredRecord, entry: StoredRecord): DatabaseValue => {
  const settled = toRecord(toRecord(booking['adjustments'])[toText(entry['ref'])])
  const refund = Object.values(toRecord(booking['fare_history']))
    .map(toRecord)
    .find(
      ({ kind, at, cause }) => kind === 'refund' && at === entry['at'] && REASONS.includes(cause),
    )
  const reason = entry['event'] === 'compensate' ? settled['reason'] : refund?.['cause']
  return REASONS.includes(reason) ? (reason ?? null) : null
}

/**
 * Moves what people wrote about events out of the log, which nothing removes, to `words` of the
 * booking. The words of a booking whose party has deleted their account are removed.
 */
export const moveEventWords: RowChange = {
  collections: ['bookings'],
  apply: (row) => {
    const booking = toRecord(row['bookings'])
    const log = toRecord(booking['event_log'])
    const written = Object.entries(log).flatMap(
      ([key, value]): [string, StoredRecord, string][] => {
        const entry = toRecord(value)
        const { reason } = entry
        return typeof reason === 'string' && !REASONS.includes(reason) ? [[key, entry, reason]] : []
      },
    )
    if (written.length === 0) return row
    const entries = written.map(([key, entry]): [string, StoredRecord] => {
      const reason = entry['event'] === 'rate' ? null : findComplaintReason(booking, entry)
      return [key, { ...without(entry, 'reason'), ...(reason !== null && { reason }) }]
    })
    const words = {
      ...toRecord(booking['words']),
      ...Object.fromEntries(written.map(([key, , text]) => [key, text])),
    }
    return {
      bookings: {
        ...booking,
        event_log: { ...log, ...Object.fromEntries(entries) },
        ...(!isCleared(booking) && { words }),
        // A change that is based on the old record must start over.
        revision: Number(booking['revision']) + 1,
      },
    }
  },
}

/** The field with a person's words in the audit entries of an action. */
const AUDITED_WORDS: Readonly<Record<string, string>> = {
  booking_compensate: 'note',
  booking_release: 'reason',
  payment_refund: 'text',
}

/** Removes the words of complaints and releases from the audit, which outlives the people. */
export const dropAuditedWords: RowChange = {
  collections: ['audit'],
  apply: (row) => {
    const entry = toRecord(row['audit'])
    const field = getOwn(AUDITED_WORDS, toText(entry['action']))
    const to = toRecord(entry['to'])
    return field !== undefined && field in to
      ? { audit: { ...entry, to: without(to, field) } }
      : row
  },
}

/** Removes the office's words to a complaint from the wallets of both parties. */
export const dropWalletWords: RowChange = {
  collections: ['users'],
  apply: (row) => {
    const user = toRecord(row['users'])
    const history = toRecord(user['walletHistory'])
    const written = Object.entries(history).filter(
      ([key, entry]) => key.endsWith('-compensation') && 'note' in toRecord(entry),
    )
    if (written.length === 0) return row
    const cleanedEntries = written.map(
      ([key, entry]) => [key, without(toRecord(entry), 'note')] as const,
    )
    return {
      users: { ...user, walletHistory: { ...history, ...Object.fromEntries(cleanedEntries) } },
    }
  },
}

/** Removes the office's words from refunds that are under way. Their kind of reason stays. */
export const dropRefundWords: RowChange = {
  collections: ['payments'],
  apply: (row) => {
    const payment = toRecord(row['payments'])
    const refund = toRecord(payment['refund'])
    return 'text' in refund ? { payments: { ...payment, refund: without(refund, 'text') } } : row
  },
}
