import type { i18n as I18n } from 'i18next'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection, toLanguageTag } from '~/domain/language/locales'
import { type PushTexts, storePushTexts } from '~/src/store/pushExchange'
import { type Format, useFormat } from '~/src/ui/format/format'
import { CATALOG_PARAMS, type CatalogNames, getPushPath } from './pushTexts'
import { APP_SCREENS } from '~/domain/messages/types'

/** The keys of all texts that a notification can show. */
const WORKER_TEXT_KEYS = /^(push|reason|notify)_/

/** Returns the texts and settings of pushes in the person's language; missing texts are English. */
const createWorkerTexts = (i18n: I18n, format: Format, names: CatalogNames): PushTexts => {
  const readTexts = (locale: string) =>
    (i18n.getResourceBundle(locale, 'translation') ?? {}) as Record<string, string>
  const texts = { ...readTexts('en'), ...readTexts(i18n.language) }
  return {
    locale: toLanguageTag(i18n.language) ?? 'en',
    dir: getTextDirection(i18n.language),
    texts: {
      ...Object.fromEntries(
        CATALOG_PARAMS.flatMap((param) =>
          names[param].map(({ value, text }) => [`${param}_${value}`, text]),
        ),
      ),
      ...Object.fromEntries(Object.entries(texts).filter(([key]) => WORKER_TEXT_KEYS.test(key))),
    },
    paths: Object.fromEntries(
      APP_SCREENS.map((screen) => [
        screen,
        getPushPath({ screen, booking_id: ':id', title: '', msg: '', at: 0 }),
      ]),
    ),
    money: format.moneySettings,
  }
}

/** Keeps the service worker's texts in the person's language while this device receives pushes. */
export const useWorkerTexts = (isOn: boolean, names: CatalogNames) => {
  const { i18n } = useTranslation()
  const format = useFormat()
  const { language } = i18n
  useEffect(() => {
    if (isOn) void storePushTexts(createWorkerTexts(i18n, format, names)).catch(() => undefined)
  }, [isOn, i18n, language, format, names])
}
