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

const readParam = (name: string, value: string, pushTexts: PushTexts): string => {
  if (name === 'amount' || name === 'fee') return formatMoney(value, pushTexts)
  if (name === 'reason' || name === 'carType') return pushTexts.texts[`${name}_${value}`] ?? value
  return value
}

/** Returns a text of the platform in the person's language; text that a person wrote stays. */
const fillIn = (text: string, data: PushData, pushTexts: PushTexts): string =>
  Object.hasOwn(pushTexts.texts, text)
    ? (pushTexts.texts[text] ?? '').replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
        isolate(readParam(name, data[name] ?? '', pushTexts), pushTexts.dir),
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
  pushTexts: PushTexts | null,
  site: string,
): ShownPush => {
  const { title = '', msg = '', screen = '', booking_id = '' } = data
  const isRequest = screen === 'DriverTrips' && booking_id !== ''
  const path = (pushTexts?.paths[screen] ?? '/').replace(':id', encodeURIComponent(booking_id))
  const to = isRequest ? `${path}?booking=${encodeURIComponent(booking_id)}` : path
  const options: ShownPush['options'] = {
    body: pushTexts ? fillIn(msg, data, pushTexts) : '',
    icon: '/icon.svg',
    tag: to,
    renotify: true,
    data: { to, booking_id },
    ...(pushTexts && { lang: pushTexts.locale, dir: pushTexts.dir }),
    ...(isRequest && { requireInteraction: true, vibrate: REQUEST_VIBRATION_MS }),
    ...(isRequest &&
      pushTexts && {
        actions: (['accept', 'decline'] as const).map((action) => ({
          action,
          title: pushTexts.texts[`notify_${action}`] ?? action,
        })),
      }),
  }
  return { title: (pushTexts && fillIn(title, data, pushTexts)) || site, options }
}
