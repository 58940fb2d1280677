import { screenPaths } from '~/src/store/screenPaths'

/**
 * Returns the key of the text that describes an action, by the action name that the functions
 * record.
 */
export const getActionTextKey = (action: string): string => {
  const named: Record<string, string> = {
    booking_assign: 'event_assign',
    booking_amend: 'event_amend',
    booking_release: 'event_release',
    booking_arrive: 'event_arrive',
    booking_start: 'event_start',
    booking_reach: 'event_reach',
    booking_finish: 'event_finish',
    booking_collect: 'event_collect',
    booking_withdraw: 'event_withdraw',
    booking_take: 'event_take',
    booking_hand_back: 'event_hand_back',
    booking_keep_waiting: 'event_keep_waiting',
    booking_no_show: 'event_no_show',
    booking_cancel: 'event_cancel',
    booking_import: 'audit_created',
    booking_panic: 'audit_panic',
    booking_panic_take: 'audit_panic_taken',
    booking_panic_close: 'audit_panic_closed',
    booking_help: 'audit_help',
    fare_review: 'event_review',
    booking_compensate: 'event_compensate',
    receipt_sent: 'audit_receipt_sent',
    table_export: 'audit_exported',
    notification_send: 'audit_sent',
    wallet_credit: 'audit_credited',
    wallet_debit: 'audit_debited',
    withdraw_complete: 'withdraw_done',
    withdraw_return: 'withdraw_returned',
    payment_refund: 'audit_refunded',
    payment_credit: 'audit_credited',
    payment_dismiss: 'audit_dismissed',
    payment_refunded: 'audit_refunded',
    payment_not_refunded: 'audit_not_refunded',
    payment_refund_outside: 'audit_refund_outside',
    bonus_drop: 'audit_bonus_dropped',
    sessions_end: 'audit_sessions_ended',
    account_recovery: 'audit_account_recovered',
    setup: 'audit_created',
  }
  if (named[action]) return named[action]
  if (/_(create|add)$/.test(action)) return 'audit_created'
  return action.endsWith('_delete') ? 'audit_deleted' : 'audit_changed'
}

/**
 * Returns the entries of a record and its children. The index also finds other paths that start
 * with the same characters.
 */
export const filterEntriesByPath = <Entry extends { path: string }>(
  path: string,
  entries: Entry[],
): Entry[] => entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`))

interface RecordType {
  text: string
  getLink?: (id: string) => string
}
const createEditLink = (screen: string) => (id: string) => `${screen}?edit=${id}`
const RECORD_TYPES: Record<string, RecordType> = {
  bookings: { text: 'booking', getLink: screenPaths.booking },
  cartypes: { text: 'car_type', getLink: createEditLink(screenPaths.vehicleTypes) },
  promos: { text: 'promo', getLink: createEditLink(screenPaths.promos) },
  languages: { text: 'language', getLink: createEditLink(screenPaths.languages) },
  users: { text: 'person' },
  settings: { text: 'menu_settings', getLink: () => screenPaths.settings },
  message_settings: { text: 'menu_messages', getLink: () => screenPaths.messages },
  cancel_reason: { text: 'menu_cancel_reasons', getLink: () => screenPaths.cancellationReasons },
  notifications: { text: 'menu_notifications', getLink: () => screenPaths.notifications },
  withdraws: { text: 'menu_withdraws', getLink: () => screenPaths.withdrawals },
  recurring: { text: 'menu_recurring', getLink: () => screenPaths.recurring },
  payments: { text: 'menu_payments', getLink: () => `${screenPaths.payments}?show=all` },
}

/**
 * Describes a database path: a text key, the record's ID, and the screen that shows the record, if
 * one exists.
 */
export const describeRecord = (
  path: string,
): { text: string; id: string; link: string | undefined } => {
  const [collection = '', id = ''] = path.split('/')
  const kind = RECORD_TYPES[collection]
  return { text: kind?.text ?? collection, id, link: kind?.getLink?.(id) }
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns the changes: the name of each changed field with its value before and after, or one
 * change when the values have no fields.
 */
export const getFieldChanges = ({ from, to }: { from?: unknown; to?: unknown }) => {
  if (!isPlainObject(from) && !isPlainObject(to)) return from === to ? [] : [{ name: '', from, to }]
  const [before, after] = [isPlainObject(from) ? from : {}, isPlainObject(to) ? to : {}]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    from: before[name],
    to: after[name],
  }))
}
