import type { i18n as I18n } from 'i18next'

/**
 * What speaks until the translator arrives: the English of the page that was made at build time, by the few parts
 * react-i18next asks for. `onUse` hears of every key. A key without a text is empty rather than shown.
 */
export const firstI18n = (texts: Record<string, string>, onUse?: (key: string) => void): I18n => {
  const t = (key: string, params: Record<string, unknown> = {}) => {
    onUse?.(key)
    return (texts[key] ?? '').replace(/{{(\w+)}}/g, (_, name: string) => String(params[name] ?? ''))
  }
  const nothing = () => undefined
  return {
    language: 'en',
    languages: ['en'],
    options: {},
    isInitialized: true,
    hasLoadedNamespace: () => true,
    getFixedT: () => t,
    t,
    on: nothing,
    off: nothing,
    emit: nothing,
    store: { on: nothing, off: nothing },
    addResourceBundle: nothing,
    changeLanguage: () => Promise.resolve(t),
  } as unknown as I18n
}
