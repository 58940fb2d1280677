import { cleanup, configure, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach } from 'vitest'
import { startSession } from '~/src/features/auth/session'
import { loadTexts, makeI18n } from '~/src/i18n/i18n'
import { type MemoryOptions, memoryWorld } from '~/src/services/memory/memoryServices'
import { makeStore } from '~/src/store/makeStore'
import { Root } from './Root'

// A story waits for what it expects, however busy the machine is.
configure({ asyncUtilTimeout: 60_000 })

afterEach(cleanup)

/** The whole app at `path` over an in-browser world, for component tests. `as` is the uid who is signed in. */
export const renderApp = async (path: string, options: MemoryOptions = {}) => {
  // jsdom has no layout to scroll.
  window.scrollTo = () => {}
  window.history.replaceState(null, '', path)
  const world = memoryWorld(options)
  const store = makeStore(world.services)
  const i18n = makeI18n()
  await Promise.all([loadTexts(i18n, 'office'), loadTexts(i18n, 'trip')])
  store.dispatch(startSession())
  const view = render(<Root store={store} i18n={i18n} />)
  return { world, store, user: userEvent.setup({ delay: null }), ...view }
}
