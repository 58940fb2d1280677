import { useFormat } from '~/src/ui/format'

/** Noon, so that no time zone makes another day of it. */
const noon = (day: string) => Date.parse(`${day}T12:00:00Z`)

/** Names calendar days, each a yyyy-mm-dd. */
export const useDayNames = () => {
  const { locale } = useFormat()
  return (options: Intl.DateTimeFormatOptions) => {
    const names = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return {
      day: (day: string) => names.format(noon(day)),
      range: (from: string, to: string) => names.formatRange(noon(from), noon(to)),
    }
  }
}
