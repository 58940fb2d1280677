import { render, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect } from 'vitest'
import { startSession } from '~/src/features/auth/session'
import { liveInbox } from '~/src/features/inbox/inbox'
import { makeI18n } from '~/src/i18n/i18n'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import { Root } from './Root'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'

/**
 * Renders the whole app at `path` with the in-memory backend, for component tests. `as` is the uid
 * of the signed-in user.
 */
export const renderApp = async (path: string, options: MemoryOptions = {}) => {
  window.history.replaceState(null, '', path)
  const backend = makeMemoryBackend(options)
  const store = makeStore(backend.services)
  const i18n = makeI18n()
  store.dispatch(startSession())
  const view = render(<Root store={store} i18n={i18n} />)
  return {
    backend,
    store,
    user: userEvent.setup({ delay: null }),
    /** Waits for the first entries of the inbox; only those that come later get a toast. */
    waitForInbox: () =>
      waitFor(() => expect(Object.keys(liveInbox.collectLoaded(store.getState()))).toHaveLength(1)),
    ...view,
  }
}
