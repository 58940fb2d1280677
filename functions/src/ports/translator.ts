import type { PageTexts } from '~/domain/payments/pageTexts/en'
import type { PageLocale } from '~/domain/payments/pageTexts/pageLocale'
import type { MinorUnits } from '~/domain/language/units'

/** The language of one hosted page. */
export interface Translator {
  locale: PageLocale
  dir: 'ltr' | 'rtl'
  /** Returns a text with its `{…}` placeholders filled in. The result is not escaped. */
  t(key: keyof PageTexts, params?: Readonly<Record<string, string>>): string
  /** Formats an amount in minor units with its currency code, as this language writes it. */
  formatMoney(minor: MinorUnits, currency: string): string
}
