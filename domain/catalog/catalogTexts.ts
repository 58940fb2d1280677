import type { CancellationReason, TranslatedChoice } from './types'

/** The form of a locale such as de or pt-BR, as a regular expression. */
export const LOCALE_PATTERN = '^[A-Za-z][\\w-]{1,34}$'
/** Maximum length of a parcel type, an option or a cancellation reason, in characters. */
export const MAX_CATALOG_TEXT_LENGTH = 500

/**
 * Returns a text that the office wrote in a locale, else in its language without the region, else
 * as it is stored, in the platform's default language.
 */
export const translateCatalogText = (
  text: string,
  names: Readonly<Record<string, string>> | undefined,
  locale: string,
): string => {
  const [language = locale] = locale.split(/[-_]/)
  const byLocale = new Map(Object.entries(names ?? {}))
  return byLocale.get(locale) ?? byLocale.get(language) ?? text
}

/** Returns a parcel type or an option in a locale. */
export const getChoiceText = (
  { description, names }: Pick<TranslatedChoice, 'description' | 'names'>,
  locale: string,
): string => translateCatalogText(description, names, locale)

/**
 * Returns the parcel type or option of a booking in a locale. A booking stores the text under which
 * it was booked, which stays when the list no longer has it.
 */
export const getBookedChoiceText = (
  choices: readonly TranslatedChoice[] | undefined,
  description: string,
  locale: string,
): string =>
  getChoiceText(choices?.find((one) => one.description === description) ?? { description }, locale)

/**
 * Returns a cancellation reason in a locale, found by its stored text. A text that is not in the
 * list, such as the words of a person, stays.
 */
export const getReasonText = (
  reasons: readonly Pick<CancellationReason, 'label' | 'names'>[],
  label: string,
  locale: string,
): string =>
  translateCatalogText(label, reasons.find((reason) => reason.label === label)?.names, locale)
