import type { i18n as I18n } from 'i18next'
import { createContext, type ReactNode, use, useSyncExternalStore } from 'react'
import { I18nextProvider, useTranslation } from 'react-i18next'

const Translator = createContext<I18n | null>(null)
/** What speaks in a page that was made at build time; null where there is no such page. */
export const BuiltWith = ({ i18n, children }: { i18n: I18n | null; children: ReactNode }) => (
  <Translator value={i18n}>{children}</Translator>
)

/** False while markup made at build time is being taken over, which must then be drawn as it was. */
export const useIsTakenOver = () =>
  useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  )

/**
 * Around a part that is taken over late: its first words are the ones it was built with, whatever the rest of the page
 * speaks by then.
 */
export const AsBuilt = ({ children }: { children: ReactNode }) => {
  const { i18n } = useTranslation()
  const built = use(Translator)
  const isTakenOver = useIsTakenOver()
  return <I18nextProvider i18n={isTakenOver ? i18n : (built ?? i18n)}>{children}</I18nextProvider>
}
