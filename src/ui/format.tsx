import { createContext, type ReactNode, use, useMemo } from 'react'
import { directionOf, tagOf } from '~/src/i18n/speak'

/** How this platform and this person write amounts, times and distances. */
export interface FormatOptions {
  /** As the languages carry it: pt_BR too. */
  dateLocale: string
  symbol: string
  /** True puts the symbol after the amount. */
  symbolAfter: boolean
  decimal: number
  miles: boolean
  /** IANA name. */
  timezone: string | undefined
}
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** One Intl formatter for each kind of value, made once for the options. */
export const makeFormat = (options: FormatOptions) => {
  const { symbol, symbolAfter, decimal, miles, timezone } = options
  const locale = tagOf(options.dateLocale) ?? 'en'
  const amount = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimal,
    maximumFractionDigits: decimal,
  })
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 })
  const zone = timezone ? { timeZone: timezone } : {}
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...zone })
  const dateTime = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    ...zone,
  })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short', ...zone })
  const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...zone })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', year: '2-digit', ...zone })
  const distance = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: miles ? 'mile' : 'kilometer',
    maximumFractionDigits: 1,
  })
  const [short, shortsInUnit] = miles ? (['foot', 5280] as const) : (['meter', 1000] as const)
  const nearby = new Intl.NumberFormat(locale, { style: 'unit', unit: short })
  const minutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' })
  const hours = new Intl.NumberFormat(locale, { style: 'unit', unit: 'hour' })
  const ago = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  // Between other words, text written from the right would fall apart around its digits: isolates hold each value
  // together, an amount from the left ($U would stand behind it), the others in the language's own direction.
  const isRtl = directionOf(locale) === 'rtl'
  const together = (text: string) => (isRtl ? `\u2066${text}\u2069` : text)
  const ownWay = (text: string) => (isRtl ? `\u2067${text}\u2069` : text)
  return {
    money: (value: number) => {
      const digits = amount.format(Math.abs(value))
      return together(
        `${value < 0 ? '−' : ''}${symbolAfter ? `${digits} ${symbol}` : `${symbol}${/\w$/.test(symbol) ? ' ' : ''}${digits}`}`,
      )
    },
    number: (value: number) => number.format(value),
    date: (ms: number) => ownWay(date.format(ms)),
    dateTime: (ms: number) => ownWay(dateTime.format(ms)),
    time: (ms: number) => ownWay(time.format(ms)),
    /** Without the year, for axes. */
    dayMonth: (ms: number) => dayMonth.format(ms),
    /** Short, for axes. */
    month: (ms: number) => month.format(ms),
    /** Already in the platform's unit; what is nearer than a tenth of it to ten metres or feet. */
    distance: (value: number) =>
      ownWay(
        value > 0 && value < 0.1
          ? nearby.format(Math.max(10, Math.round((value * shortsInUnit) / 10) * 10))
          : distance.format(value),
      ),
    duration: (seconds: number) => {
      const all = Math.max(1, Math.round(seconds / 60))
      const rest = all % 60
      return ownWay(
        all < 60
          ? minutes.format(all)
          : [hours.format(Math.floor(all / 60)), ...(rest ? [minutes.format(rest)] : [])].join(' '),
      )
    },
    relative: (ms: number, now: number) => {
      const away = ms - now
      const [unit, size] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? [
        'minute',
        60_000,
      ]
      return ago.format(Math.round(away / size), unit)
    },
    timezone,
    /** As Intl takes it. */
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
  ...options
}: Partial<FormatOptions> & { children: ReactNode }) => {
  const { dateLocale, symbol, symbolAfter, decimal, miles, timezone } = { ...DEFAULTS, ...options }
  const format = useMemo(
    () => makeFormat({ dateLocale, symbol, symbolAfter, decimal, miles, timezone }),
    [dateLocale, symbol, symbolAfter, decimal, miles, timezone],
  )
  return <FormatContext value={format}>{children}</FormatContext>
}
export const useFormat = () => use(FormatContext)

export const Money = ({ amount }: { amount: number }) => <bdi>{useFormat().money(amount)}</bdi>
export const Distance = ({ value }: { value: number }) => <bdi>{useFormat().distance(value)}</bdi>

/** The moment as text; the exact one on hover. */
export const DateTime = ({ at, only }: { at: number; only?: 'date' | 'time' }) => {
  const format = useFormat()
  const text =
    only === 'date' ? format.date(at) : only === 'time' ? format.time(at) : format.dateTime(at)
  return (
    <time dateTime={new Date(at).toISOString()} title={format.dateTime(at)}>
      {text}
    </time>
  )
}

/** ms of a wall-clock text such as 2026-11-20T18:30 in the time zone; null when it is no date. */
export const fromWallClock = (text: string, timezone: string | undefined): number | null => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text)) return null
  const asUtc = Date.parse(`${text}:00Z`)
  if (Number.isNaN(asUtc)) return null
  // Two rounds, because the offset at the guess and at the answer differ across a clock change.
  let guess = asUtc
  for (let round = 0; round < 2; round += 1) {
    const wall = Date.parse(`${toWallClock(guess, timezone)}:00Z`)
    guess += asUtc - wall
  }
  return guess
}

/** The wall-clock text of `ms` in the time zone, as a datetime-local field wants it. */
export const toWallClock = (ms: number, timezone: string | undefined): string => {
  const parts = new Intl.DateTimeFormat('en-CA', {
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
