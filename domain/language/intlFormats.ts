/** Maximum number of kept formatters of a kind: callers of the server choose the locale. */
const MAX_KEPT = 200

/**
 * Creates a formatter when it is first needed, and keeps it for its locale and options: creating
 * one takes as long as formatting hundreds of values.
 */
const keepPerLocale = <Options, Formatter>(
  create: (locale: string, options: Options) => Formatter,
): ((locale: string, options: Options) => Formatter) => {
  const formatters = new Map<string, Formatter>()
  return (locale, options) => {
    const key = JSON.stringify([locale, options])
    const cachedFormatter = formatters.get(key)
    if (cachedFormatter) return cachedFormatter
    const [oldest] = formatters.keys()
    if (oldest !== undefined && formatters.size >= MAX_KEPT) formatters.delete(oldest)
    const formatter = create(locale, options)
    formatters.set(key, formatter)
    return formatter
  }
}

/** Returns the number format of a BCP 47 locale. Throws RangeError for a malformed locale. */
export const getNumberFormat = keepPerLocale(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
)
/**
 * Returns the date format of a BCP 47 locale. Throws RangeError for a malformed locale or an
 * unknown time zone.
 */
export const getDateFormat = keepPerLocale(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
)
/**
 * Returns the format of durations until or since now, such as “in 2 hours”, of a BCP 47 locale.
 * Throws RangeError for a malformed locale.
 */
export const getRelativeTimeFormat = keepPerLocale(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
)
/**
 * Returns the names of countries, currencies or other codes in a BCP 47 locale; in English for a
 * locale that has none. Throws RangeError for a malformed locale.
 */
export const getDisplayNames = keepPerLocale(
  (locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames([locale, 'en'], options),
)
