import type { i18n as I18n } from 'i18next'

export interface InitialI18n extends I18n {
  /** Takes the texts that the prerendered page lacks from the full translator from now on. */
  completeWith: (full: I18n) => void
}

/**
 * Returns a minimal translator for hydration, with the English texts of the prerendered page and
 * the few members react-i18next uses. `onUse` receives every key. A key without a text gives an
 * empty string until the full translator completes it.
 */
export const makeInitialI18n = (
  texts: Record<string, string>,
  onUse?: (key: string) => void,
): InitialI18n => {
  let full: I18n | undefined
  const t = (key: string, params: Record<string, string | number | undefined> = {}) => {
    onUse?.(key)
    const text = texts[key] ?? full?.t(key, params) ?? ''
    return text.replace(/{{(\w+)}}/g, (_, name: string) => String(params[name] ?? ''))
  }
  const nothing = () => undefined
  // Only the members that react-i18next uses: all of i18next would be in the first load.
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
    getResourceBundle: nothing,
    removeResourceBundle: nothing,
    hasResourceBundle: () => true,
    changeLanguage: () => Promise.resolve(t),
    completeWith: (loaded: I18n) => {
      full = loaded
    },
  } as unknown as InitialI18n
}
