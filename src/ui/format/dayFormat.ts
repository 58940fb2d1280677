import { getDateFormat } from '~/domain/language/intlFormats'
import { useFormat } from './format'

/** Uses noon, so that no time zone shifts the date. */
const toNoon = (day: string) => Date.parse(`${day}T12:00:00Z`)

/** Returns a function that formats calendar days given as yyyy-mm-dd. */
export const useDayFormatter = () => {
  const { locale } = useFormat()
  return (options: Intl.DateTimeFormatOptions) => {
    const names = getDateFormat(locale, { timeZone: 'UTC', ...options })
    return {
      day: (day: string) => names.format(toNoon(day)),
      range: (from: string, to: string) => names.formatRange(toNoon(from), toNoon(to)),
    }
  }
}
