import { screens } from '~/src/store/screens'

/** The text that says what was done, by the action the functions write down. */
export const actionText = (action: string): string => {
  const named: Record<string, string> = {
    booking_assign: 'event_assign',
    booking_cancel: 'event_cancel',
    notification_send: 'audit_sent',
    wallet_credit: 'audit_credited',
    withdraw_complete: 'withdraw_done',
    payment_refund: 'audit_refunded',
    payment_credit: 'audit_credited',
    payment_dismiss: 'audit_dismissed',
    setup: 'audit_created',
  }
  if (named[action]) return named[action]
  if (/_(create|add)$/.test(action)) return 'audit_created'
  return action.endsWith('_delete') ? 'audit_deleted' : 'audit_changed'
}

/** Those of a record and of what it holds: the index also finds paths that only begin alike. */
export const entriesOf = <Entry extends { path: string }>(
  path: string,
  entries: Entry[],
): Entry[] => entries.filter((entry) => entry.path === path || entry.path.startsWith(`${path}/`))

interface Kind {
  text: string
  to?: (id: string) => string
}
const edited = (screen: string) => (id: string) => `${screen}?edit=${id}`
const KINDS: Record<string, Kind> = {
  bookings: { text: 'booking', to: screens.booking },
  cartypes: { text: 'car_type', to: edited(screens.carTypes) },
  promos: { text: 'promo', to: edited(screens.promos) },
  languages: { text: 'language', to: edited(screens.languages) },
  users: { text: 'person' },
  settings: { text: 'menu_settings', to: () => screens.settings },
  cancel_reason: { text: 'menu_cancel_reasons', to: () => screens.cancelReasons },
  notifications: { text: 'menu_notifications', to: () => screens.notifications },
  withdraws: { text: 'menu_withdraws', to: () => screens.withdraws },
  payments: { text: 'menu_payments', to: () => `${screens.payments}?show=all` },
}

/** What a path of the database is about: a text, the record's id, and the screen that shows it where there is one. */
export const recordOf = (path: string): { text: string; id: string; to: string | undefined } => {
  const [collection = '', id = ''] = path.split('/')
  const kind = KINDS[collection]
  return { text: kind?.text ?? collection, id, to: kind?.to?.(id) }
}

const isFields = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What changed, field by field where there are fields: its name, before and after. */
export const changesOf = ({ from, to }: { from?: unknown; to?: unknown }) => {
  if (!isFields(from) && !isFields(to)) return from === to ? [] : [{ name: '', from, to }]
  const [before, after] = [isFields(from) ? from : {}, isFields(to) ? to : {}]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) => ({
    name,
    from: before[name],
    to: after[name],
  }))
}
