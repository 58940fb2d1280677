import type { i18n as I18n } from 'i18next'
import { startTransition, useEffect, useState } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Provider } from 'react-redux'
import type { AppStore } from '~/src/store/makeStore'
import type { AppState } from '~/src/store/reducer'
import { BuiltWith } from '~/src/ui/AsBuilt'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { App } from './App'

/** Everything around the pages. */
export const Root = ({
  store,
  i18n,
  fullI18n,
  built,
}: {
  store: AppStore
  i18n: I18n
  /** Brings the translator that takes over from `i18n`. */
  fullI18n?: () => Promise<I18n>
  /** The state the page was built with: parts that are taken over late must not see a later one. */
  built?: AppState
}) => {
  const [translator, setTranslator] = useState(i18n)
  useEffect(() => {
    // A transition, so that parts of the page that are still to be taken over are not thrown away.
    void fullI18n?.().then((full) => startTransition(() => setTranslator(full)))
  }, [fullI18n])
  return (
    <Provider store={store} {...(built && { serverState: built })}>
      <BuiltWith i18n={built ? i18n : null}>
        <I18nextProvider i18n={translator}>
          <ErrorBoundary report={(what, error) => store.extra.services.report(what, error)}>
            <App />
          </ErrorBoundary>
        </I18nextProvider>
      </BuiltWith>
    </Provider>
  )
}
