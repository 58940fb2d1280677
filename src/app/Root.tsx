import type { i18n as I18n } from 'i18next'
import { startTransition, useEffect, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Provider } from 'react-redux'
import type { AppState } from '~/src/store/reducer'
import { PrerenderedI18n } from '~/src/ui/PrerenderedTexts'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { App } from './App'
import type { AppStore } from '~/src/store/storeTypes'

/** Renders the providers around all pages. */
export const Root = ({
  store,
  i18n,
  fullI18n: loadFullI18n,
  built: prerenderedState,
}: {
  store: AppStore
  i18n: I18n
  /** Loads the translator that replaces `i18n`. */
  fullI18n?: () => Promise<I18n>
  /** The state used for prerendering: parts that hydrate late must not see a newer one. */
  built?: AppState
}) => {
  const [translator, setTranslator] = useState(i18n)
  useEffect(() => {
    // A transition keeps React from discarding parts of the page that it has not hydrated yet.
    void loadFullI18n?.().then((full) => startTransition(() => setTranslator(full)))
  }, [loadFullI18n])
  return (
    <Provider store={store} {...(prerenderedState && { serverState: prerenderedState })}>
      <PrerenderedI18n i18n={prerenderedState ? i18n : null}>
        <I18nextProvider i18n={translator}>
          <ErrorBoundary report={(what, error) => store.extra.services.report(what, error)}>
            <App />
          </ErrorBoundary>
        </I18nextProvider>
      </PrerenderedI18n>
    </Provider>
  )
}
