import { type i18n as I18n, createInstance } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'
import shared from './locales/en/shared.json'
import site from './locales/en/site.json'

/** Returns a translator that starts in English, complete for the public pages. */
export const makeI18n = (): I18n => {
  const i18n = createInstance()
  const texts = { ...shared, ...site }
  void i18n.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: texts, shipped: { ...texts } } },
    // Keys form one flat list, as in the database: dots and colons have no meaning.
    keySeparator: false,
    nsSeparator: false,
    // React escapes HTML itself, so `escape` handles text direction: inside a right-to-left
    // sentence, FSI … PDI isolate names, numbers and ids.
    interpolation: {
      escape: (text: string) =>
        getTextDirection(i18n.language) === 'rtl' ? `\u2068${text}\u2069` : text,
    },
    initAsync: false,
  })
  return i18n
}
