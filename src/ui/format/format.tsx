import { createContext, type ReactNode, use, useDeferredValue, useMemo } from 'react'
import {
  getDateFormat,
  getNumberFormat,
  getRelativeTimeFormat,
} from '~/domain/language/intlFormats'
import { getTextDirection, toLanguageTag } from '~/domain/language/locales'
import { createMoneyFormat, type MoneySettings } from '~/domain/money/moneyFormat'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import type { Milliseconds, Seconds } from '~/domain/language/units'

/** The platform's and the user's settings for formatting amounts, times and distances. */
export interface FormatOptions extends MoneySettings {
  /** A locale in the format that the languages store, such as pt_BR. */
  dateLocale: string
  miles: boolean
  /** The IANA time zone name. */
  timezone: string | undefined
}
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', 60_000],
]

/** Returns functions that format all kinds of values. */
export const makeFormat = (options: FormatOptions) => {
  const { symbol, symbolAfter, decimal, miles, timezone } = options
  const locale = toLanguageTag(options.dateLocale) ?? 'en'
  const zone = timezone ? { timeZone: timezone } : {}
  const formatDate = (ms: Milliseconds, parts: Intl.DateTimeFormatOptions) =>
    getDateFormat(locale, { ...parts, ...zone }).format(ms)
  const formatNumber = (value: number, style: Intl.NumberFormatOptions) =>
    getNumberFormat(locale, style).format(value)
  const formatUnit = (value: number, unit: string) =>
    formatNumber(value, { style: 'unit', unit, maximumFractionDigits: 1 })
  const [short, shortsInUnit] = miles ? (['foot', 5280] as const) : (['meter', 1000] as const)
  // Digits within right-to-left text break up the order of its parts. Isolates hold each value
  // together: amounts are left to right (otherwise $U would follow the number), and other values
  // use the language's own direction.
  const isRtl = getTextDirection(locale) === 'rtl'
  const isolateLtr = (text: string) => (isRtl ? `\u2066${text}\u2069` : text)
  const isolateText = (text: string) => (isRtl ? `\u2067${text}\u2069` : text)
  /** Returns a formatter of amounts with these settings. */
  const moneyWith = (settings: MoneySettings) => {
    const formatMoney = createMoneyFormat(locale, settings)
    return (value: number) => isolateLtr(formatMoney(value))
  }
  return {
    moneyWith,
    /** The settings of `money`, for the service worker. */
    moneySettings: { locale, symbol, symbolAfter, decimal },
    money: moneyWith(options),
    number: (value: number) => formatNumber(value, { maximumFractionDigits: 1 }),
    date: (ms: Milliseconds) => isolateText(formatDate(ms, { dateStyle: 'medium' })),
    dateTime: (ms: Milliseconds) =>
      isolateText(formatDate(ms, { dateStyle: 'medium', timeStyle: 'short' })),
    time: (ms: Milliseconds) => isolateText(formatDate(ms, { timeStyle: 'short' })),
    /** Formats a day without its year, for axes. */
    dayMonth: (ms: Milliseconds) => formatDate(ms, { day: 'numeric', month: 'short' }),
    /** Formats a short month, for axes. */
    month: (ms: Milliseconds) => formatDate(ms, { month: 'short', year: '2-digit' }),
    /**
     * Formats a distance in the platform's unit; distances under a tenth of the unit are rounded to
     * ten meters or feet.
     */
    distance: (value: number) =>
      isolateText(
        value > 0 && value < 0.1
          ? formatUnit(Math.max(10, Math.round((value * shortsInUnit) / 10) * 10), short)
          : formatUnit(value, miles ? 'mile' : 'kilometer'),
      ),
    duration: (seconds: Seconds) => {
      const all = Math.max(1, Math.round(seconds / 60))
      const rest = all % 60
      return isolateText(
        all < 60
          ? formatUnit(all, 'minute')
          : [
              formatUnit(Math.floor(all / 60), 'hour'),
              ...(rest ? [formatUnit(rest, 'minute')] : []),
            ].join(' '),
      )
    },
    relative: (ms: Milliseconds, now: number) => {
      const away = ms - now
      const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? [
        'minute',
        60_000,
      ]
      return getRelativeTimeFormat(locale, { numeric: 'auto' }).format(
        Math.round(away / size),
        unit,
      )
    },
    timezone,
    /** The locale in the format that Intl accepts. */
    locale,
  }
}
export type Format = ReturnType<typeof makeFormat>

const DEFAULTS: FormatOptions = {
  dateLocale: 'en',
  symbol: '',
  symbolAfter: false,
  decimal: 2,
  miles: false,
  timezone: undefined,
}
const FormatContext = createContext<Format>(makeFormat(DEFAULTS))

export const FormatProvider = ({
  children,
  isDeferred,
  ...options
}: Partial<FormatOptions> & {
  children: ReactNode
  /**
   * Changes the format in a transition. When a context changes at once, React removes prerendered
   * parts that it has not hydrated yet.
   */
  isDeferred?: boolean
}) => {
  const { dateLocale, symbol, symbolAfter, decimal, miles, timezone } = { ...DEFAULTS, ...options }
  const format = useMemo(
    () => makeFormat({ dateLocale, symbol, symbolAfter, decimal, miles, timezone }),
    [dateLocale, symbol, symbolAfter, decimal, miles, timezone],
  )
  const deferred = useDeferredValue(format)
  return <FormatContext value={isDeferred ? deferred : format}>{children}</FormatContext>
}
export const useFormat = () => use(FormatContext)

export const Money = ({ amount }: { amount: number }) => <bdi>{useFormat().money(amount)}</bdi>

/**
 * Returns the instant (ms) of a wall-clock text such as 2026-11-20T18:30 in the time zone; null for
 * an invalid date.
 */
export const fromWallClock = (text: string, timezone: string | undefined): number | null => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null
  const asUtc = Date.parse(`${text}:00Z`)
  if (Number.isNaN(asUtc)) return null
  // Two rounds, because the offsets at the guess and at the result differ across a clock change.
  let guess = asUtc
  for (let round = 0; round < 2; round += 1) {
    const wall = Date.parse(`${toWallClock(guess, timezone)}:00Z`)
    guess += asUtc - wall
  }
  return guess
}

/**
 * Returns the wall-clock text of `ms` in the time zone, in the format of a datetime-local field.
 */
export const toWallClock = (ms: Milliseconds, timezone: string | undefined): string => {
  const parts = getDateFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(timezone && { timeZone: timezone }),
  }).formatToParts(ms)
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '00'
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}
