import { act, render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aRider, aSettings } from '~/domain/testing/builders'
import { startSession } from '~/src/features/auth/session'
import { makeI18n } from '~/src/i18n/i18n'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import { Root } from './Root'
import { PAGES_BY_AREA } from './routes'
import type { Tree } from '~/src/services/memory/backendTypes'

/** Opens a page before the settings arrive; `deliverSettings` lets them arrive. */
const openWithoutSettings = async (path: string, as?: string) => {
  window.history.replaceState(null, '', path)
  const seed = { settings: aSettings(), users: { rita: aRider({ id: 'rita' }) } }
  const { services } = makeMemoryBackend({
    seed: JSON.parse(JSON.stringify(seed)) as Tree,
    ...(as !== undefined && { as }),
  })
  const held: (() => void)[] = []
  const store = makeStore({
    ...services,
    database: {
      ...services.database,
      subscribe(query, onValue, onError) {
        if (query.path !== 'settings') return services.database.subscribe(query, onValue, onError)
        held.push(() => services.database.subscribe(query, onValue, onError))
        return () => undefined
      },
    },
  })
  store.dispatch(startSession())
  render(<Root store={store} i18n={makeI18n()} />)
  const deliverSettings = () =>
    act(() => {
      for (const deliver of held) deliver()
    })
  return { store, deliverSettings }
}

test('shows a guarded page once the settings have arrived', async () => {
  const { store, deliverSettings } = await openWithoutSettings('/bookings', 'rita')
  await waitFor(() => expect(store.getState().auth.info?.id).toBe('rita'))
  await act(async () => await PAGES_BY_AREA.site['/bookings']?.load())
  expect(screen.queryByRole('heading', { level: 1 })).not.toBeInTheDocument()
  deliverSettings()
  expect(await screen.findByRole('heading', { level: 1 })).toBeInTheDocument()
})

test('shows an open page without the settings', async () => {
  await openWithoutSettings('/signup')
  expect(await screen.findByRole('heading', { name: 'Drive with us' })).toBeInTheDocument()
})
