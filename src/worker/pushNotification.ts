// Only types may be imported here: the service worker is one file without shared chunks.
import type { PushTexts } from '~/src/store/pushExchange'

/** The part of a push that the platform writes. */
export interface PushData {
  title?: string
  msg?: string
  screen?: string
  booking_id?: string
  [param: string]: string | undefined
}

export interface ShownPush {
  title: string
  options: Omit<NotificationOptions, 'data'> & {
    actions?: { action: string; title: string }[]
    renotify?: boolean
    vibrate?: number[]
    data: { to: string; booking_id: string }
  }
}

const formatMoney = (amount: string, { money }: PushTexts): string => {
  const { locale, symbol, symbolAfter, decimal } = money
  const digits = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimal,
    maximumFractionDigits: decimal,
  }).format(Number(amount))
  return symbolAfter ? `${digits} ${symbol}` : `${symbol}${/\w$/.test(symbol) ? ' ' : ''}${digits}`
}

/** Isolates a value, so that its punctuation stays on the correct side in right-to-left text. */
const isolate = (text: string, dir: PushTexts['dir']) =>
  dir === 'rtl' ? `\u2068${text}\u2069` : text

const readParam = (name: string, value: string, known: PushTexts): string => {
  if (name === 'amount' || name === 'fee') return formatMoney(value, known)
  if (name === 'reason') return known.texts[`reason_${value}`] ?? value
  return value
}

/** Returns a text of the platform in the person's language; text that a person wrote stays. */
const fillIn = (text: string, data: PushData, known: PushTexts): string =>
  Object.hasOwn(known.texts, text)
    ? (known.texts[text] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
        isolate(readParam(name, data[name] ?? '', known), known.dir),
      )
    : text

/** Vibration pattern for a request: two pulses, like the ringtone of the open page. */
const REQUEST_VIBRATION_MS = [250, 120, 250]

/**
 * Returns the notification of a push. Without stored texts it names only the site, because a
 * browser must show something for each push. A newer push about the same screen and booking
 * replaces the older one.
 */
export const toNotification = (
  data: PushData,
  known: PushTexts | null,
  site: string,
): ShownPush => {
  const { title = '', msg = '', screen = '', booking_id = '' } = data
  const isRequest = screen === 'DriverTrips' && booking_id !== ''
  const path = (known?.paths[screen] ?? '/').replace(':id', encodeURIComponent(booking_id))
  const to = isRequest ? `${path}?booking=${encodeURIComponent(booking_id)}` : path
  const options: ShownPush['options'] = {
    body: known ? fillIn(msg, data, known) : '',
    icon: '/icon.svg',
    tag: to,
    renotify: true,
    data: { to, booking_id },
    ...(known && { lang: known.locale, dir: known.dir }),
    ...(isRequest && { requireInteraction: true, vibrate: REQUEST_VIBRATION_MS }),
    ...(isRequest &&
      known && {
        actions: (['accept', 'decline'] as const).map((action) => ({
          action,
          title: known.texts[`notify_${action}`] ?? action,
        })),
      }),
  }
  return { title: (known && fillIn(title, data, known)) || site, options }
}
