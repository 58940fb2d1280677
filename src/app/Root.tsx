import type { i18n as I18n } from 'i18next'
import type { ReactNode } from 'react'
import { I18nextProvider } from 'react-i18next'
import { Provider } from 'react-redux'
import type { AppStore } from '~/src/store/makeStore'
import { App } from './App'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'

/** Everything around the pages; `router` differs between the browser, the build and the tests. */
export const Root = ({
  store,
  i18n,
  router,
}: {
  store: AppStore
  i18n: I18n
  router: (children: ReactNode) => ReactNode
}) => (
  <Provider store={store}>
    <I18nextProvider i18n={i18n}>
      {router(
        <ErrorBoundary report={(what, error) => store.extra.services.report(what, error)}>
          <App />
        </ErrorBoundary>,
      )}
    </I18nextProvider>
  </Provider>
)
