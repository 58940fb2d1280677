/** Days, months and clock times in the settings' time zone. Formatters are dear to make, so they are kept. */

/** The last instant (ms since 1970) the database takes for a time: in the year 2286. */
export const LATEST = 9_999_999_999_999

const formatters = new Map<string, Intl.DateTimeFormat>()
const formatter = (timezone: string): Intl.DateTimeFormat => {
  const known = formatters.get(timezone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB-u-ca-gregory-nu-latn', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  formatters.set(timezone, made)
  return made
}

const partsOf = (ms: number, timezone: string): Record<string, string> =>
  Object.fromEntries(
    formatter(timezone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  )

// Every zone in use is a whole number of quarters of an hour from UTC, so a quarter lies within one day. A recount
// asks for millions of days; formatting each of them would take most of its time.
const QUARTER = 15 * 60_000
const days = new Map<string, string>()

/** The day of an instant (ms) in an IANA time zone, yyyy-mm-dd. */
export const dayOf = (ms: number, timezone: string): string => {
  const quarter = `${Math.floor(ms / QUARTER)} ${timezone}`
  const known = days.get(quarter)
  if (known !== undefined) return known
  const { year, month, day } = partsOf(ms, timezone)
  const found = `${year}-${month}-${day}`
  if (days.size >= 10_000) days.clear()
  days.set(quarter, found)
  return found
}

/** The month of an instant (ms) in an IANA time zone, yyyy-mm. */
export const monthOf = (ms: number, timezone: string): string => dayOf(ms, timezone).slice(0, 7)

/** The clock time of an instant (ms) in an IANA time zone, HH:MM:SS. */
export const clockOf = (ms: number, timezone: string): string => {
  const { hour, minute, second } = partsOf(ms, timezone)
  return `${hour}:${minute}:${second}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/** The year and the English month name of a yyyy-mm, as the earning rows carry them. */
export const monthParts = (month: string): { year: number; monthsName: string } => ({
  year: Number(month.slice(0, 4)),
  monthsName: MONTHS[Number(month.slice(5, 7)) - 1] ?? '',
})

/** Whether the runtime knows this IANA time zone. */
export const isTimezone = (timezone: string): boolean => {
  try {
    return timezone !== '' && formatter(timezone) !== undefined
  } catch {
    return false
  }
}
