import type { i18n as I18n } from 'i18next'
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'

const PrerenderedI18nContext = createContext<I18n | null>(null)
/** Provides the translator of a page prerendered at build time; null for other pages. */
export const PrerenderedI18n = ({ i18n, children }: { i18n: I18n | null; children: ReactNode }) => (
  <PrerenderedI18nContext value={i18n}>{children}</PrerenderedI18nContext>
)

/** Returns false during hydration of prerendered markup, when the output must match that markup. */
export const useIsHydrated = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )

/**
 * Wraps a part that hydrates late: its first render uses the texts it was built with, whatever
 * language the rest of the page shows.
 */
export const PrerenderedTexts = ({ children }: { children: ReactNode }) => {
  const { i18n } = useTranslation()
  const built = use(PrerenderedI18nContext)
  const isTakenOver = useIsHydrated()
  return <I18nextProvider i18n={isTakenOver ? i18n : (built ?? i18n)}>{children}</I18nextProvider>
}
