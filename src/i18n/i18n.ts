import { type i18n as I18n, createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { directionOf } from './speak'
import shared from './locales/en/shared.json'
import site from './locales/en/site.json'

/** The texts that ship in the bundle; the back office's and the drivers' come with their pages. */
const PARTS = {
  office: () => import('./locales/en/office.json'),
  trip: () => import('./locales/en/trip.json'),
}

/** A translator that starts in English, complete for the public pages. */
export const makeI18n = (): I18n => {
  const i18n = createInstance()
  void i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: { ...shared, ...site } } },
    // Keys are one flat list, as the database keeps them: no dots or colons with a meaning.
    keySeparator: false,
    nsSeparator: false,
    // React escapes by itself; what is escaped here is the direction. A name, number or id in a sentence written from
    // the right would fall apart: FSI … PDI hold it together.
    interpolation: {
      escape: (text: string) =>
        directionOf(i18n.language) === 'rtl' ? `\u2068${text}\u2069` : text,
    },
    initAsync: false,
  })
  return i18n
}

/** Brings the English texts of a part of the product. */
export const loadTexts = async (i18n: I18n, part: keyof typeof PARTS): Promise<void> => {
  const { default: texts } = await PARTS[part]()
  i18n.addResourceBundle('en', 'translation', texts, true, false)
}
