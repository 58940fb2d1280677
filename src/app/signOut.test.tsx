import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { aBooking, aRider, aSettings, DROP, PICKUP } from '~/domain/testing/builders'
import { setConnected, renderDriverApp } from '~/src/driver/testing/renderDriverApp'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

const rita = aRider({ id: 'rita', mobile: '+15555550103' })
const rosa = aRider({ id: 'rosa', mobile: '+15555550104' })
const seed = (over: object = {}) =>
  JSON.parse(JSON.stringify({ settings: aSettings(), users: { rita, rosa }, ...over })) as Tree

const STAYING = {
  'kerbside.scheme': 'dark',
  'kerbside.locale': 'en',
  'kerbside.language': '{"langLocale":"en","dateLocale":"en-GB","keyValuePairs":{}}',
}
const draft = JSON.stringify({
  draft: { deliveryPerson: 'Ana', deliveryPersonPhone: '099 123 456' },
  trip: { pickup: PICKUP, drop: DROP, waypoints: [], carType: null, selected: 'pickup' },
})
/** Every personal entry that the product keeps in a browser, by key. */
const PERSONAL = {
  'kerbside.recent': JSON.stringify([PICKUP]),
  'kerbside.shares': '{"-Ob":[{"token":"secret","expires":9e12}]}',
  'kerbside.outbox.rita.item.1': '{}',
  'kerbside.outbox.rita.photo.1': 'data:image/jpeg;base64,AA',
  'kerbside.kept': 'rita',
  'kerbside.columns.riders': '[]',
  'kerbside.views.riders': '[]',
  'kerbside.density': 'dense',
  'kerbside.office.menu': 'narrow',
  'kerbside.notify': 'on',
  'kerbside.horn-muted': 'true',
  'kerbside.finished-read': '-Ob',
  'kerbside.stops.-Ob': '1',
  'kerbside.clock-offset': '12',
}
const used = (owner?: string) => {
  for (const [name, text] of Object.entries({ ...STAYING, ...PERSONAL }))
    localStorage.setItem(name, text)
  localStorage.setItem('another.site', 'stays')
  sessionStorage.setItem('kerbside.draft', draft)
  if (owner === undefined) return
  localStorage.setItem('kerbside.person', owner)
  sessionStorage.setItem('kerbside.person', owner)
}
const names = (storage: Storage) => Object.keys(storage).toSorted()
const onlyWhatStays = () => {
  expect(names(localStorage)).toEqual(['another.site', ...Object.keys(STAYING)].toSorted())
  expect(names(sessionStorage)).toEqual([])
}

describe('signing out', () => {
  test('removes all personal data from the device but keeps the language and the colors', async () => {
    used('rita')
    const kept = { profile: rita }
    const { backend, user } = await renderApp('/bookings', {
      seed: seed(),
      as: 'rita',
      offlineData: kept,
    })
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(backend.getUid()).toBeNull())
    await waitFor(onlyWhatStays)
    expect(await backend.services.offlineStorage.read('rita')).toEqual({})
  })

  test('removes a driver’s answer from the service worker’s cache, and closes the notifications', async () => {
    const urls = new Set(['/kept/driver', '/push/answer', '/push/texts', '/app'])
    vi.stubGlobal('caches', {
      keys: () => Promise.resolve(['kerbside-push', 'another-site']),
      open: (name: string) =>
        Promise.resolve({
          match: () => Promise.resolve(undefined),
          put: () => Promise.resolve(),
          keys: () =>
            Promise.resolve([...urls].map((path) => ({ url: `https://${name}.example${path}` }))),
          delete: ({ url }: { url: string }) => Promise.resolve(urls.delete(new URL(url).pathname)),
        }),
    })
    const close = vi.fn()
    const getNotifications = () => Promise.resolve([{ close }, { close }])
    Object.defineProperty(navigator, 'serviceWorker', {
      configurable: true,
      value: {
        ready: Promise.resolve({ active: null }),
        getRegistration: () => Promise.resolve({ getNotifications }),
      },
    })
    onTestFinished(() => {
      vi.unstubAllGlobals()
      Reflect.deleteProperty(navigator, 'serviceWorker')
    })
    const { backend, user } = await renderApp('/bookings', { seed: seed(), as: 'rita' })
    await user.click(await screen.findByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(backend.getUid()).toBeNull())
    await waitFor(() => expect(close).toHaveBeenCalledTimes(2))
    expect([...urls]).toEqual(['/push/texts', '/app'])
  })

  test('clears the person’s data from a form that is still on the page', async () => {
    used('rita')
    const { backend } = await renderApp('/', { seed: seed(), as: 'rita' })
    const pickup = () => screen.getByRole('combobox', { name: 'Pickup' })
    await waitFor(() => expect(pickup()).toHaveValue(PICKUP.add))
    // The sign-out happens in another tab.
    backend.signIn(null)
    await waitFor(() => expect(pickup()).toHaveValue(''))
    await waitFor(onlyWhatStays)
  })

  test('asks a driver for confirmation while events are unsent, and then removes them', async () => {
    const accepted = aBooking({ status: 'ACCEPTED', accepted_at: Date.now() - 60_000 })
    const app = await renderDriverApp({
      bookings: [accepted],
      driver: { driverActiveStatus: false },
    })
    const unsent = () => names(localStorage).filter((name) => name.startsWith('kerbside.outbox'))
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    setConnected(app.backend, false)
    await screen.findByText(/No connection/)
    await app.user.click(screen.getByRole('button', { name: 'I’m at the pickup' }))
    await waitFor(() => expect(unsent().length).toBeGreaterThan(0))
    await app.user.click(screen.getByRole('link', { name: 'Profile' }))
    await app.user.click(await screen.findByRole('button', { name: 'Log out' }))
    const dialog = await screen.findByRole('dialog', { name: 'Log out with unsent steps?' })
    expect(app.backend.getUid()).toBe('driver')
    await app.user.click(within(dialog).getByRole('button', { name: 'Log out' }))
    await waitFor(() => expect(app.backend.getUid()).toBeNull())
    await waitFor(() => expect(unsent()).toEqual([]))
  })

  test('removes the data when the platform signs the person out', async () => {
    used('rita')
    const blocked = { ...rita, approved: false }
    const { backend } = await renderApp('/', {
      seed: seed({ users: { rita: blocked } }),
      as: 'rita',
    })
    await waitFor(() => expect(backend.getUid()).toBeNull())
    await waitFor(onlyWhatStays)
  })
})

describe('another person on the same device', () => {
  test('finds no data of the previous person after signing in', async () => {
    used('rita')
    const { store } = await renderApp('/', { seed: seed(), as: 'rosa' })
    await waitFor(() => expect(store.getState().auth.info?.id).toBe('rosa'))
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Pickup' })).toHaveValue(''))
    expect(names(localStorage)).not.toEqual(expect.arrayContaining(Object.keys(PERSONAL)))
    for (const name of Object.keys(PERSONAL)) expect(localStorage.getItem(name)).toBeNull()
    expect(sessionStorage.getItem('kerbside.draft')).toBeNull()
    expect(localStorage.getItem('kerbside.scheme')).toBe('dark')
  })

  test('finds no data as a visitor after a session ended while the page was closed', async () => {
    used('rita')
    await renderApp('/', { seed: seed() })
    await waitFor(onlyWhatStays)
  })

  test('finds no driver data that an older release kept', async () => {
    used()
    const { store } = await renderApp('/', { seed: seed(), as: 'rosa' })
    await waitFor(() => expect(store.getState().auth.info?.id).toBe('rosa'))
    await waitFor(() => expect(localStorage.getItem('kerbside.recent')).toBeNull())
  })
})

test('keeps a visitor’s draft through the login and assigns it to them', async () => {
  sessionStorage.setItem('kerbside.draft', draft)
  localStorage.setItem('kerbside.recent', JSON.stringify([PICKUP]))
  const { backend, store } = await renderApp('/', { seed: seed() })
  const pickup = () => screen.getByRole('combobox', { name: 'Pickup' })
  await waitFor(() => expect(pickup()).toHaveValue(PICKUP.add))
  backend.signIn({ uid: 'rita', phone: null })
  await waitFor(() => expect(store.getState().auth.info?.id).toBe('rita'))
  expect(pickup()).toHaveValue(PICKUP.add)
  expect(localStorage.getItem('kerbside.recent')).not.toBeNull()
  expect(sessionStorage.getItem('kerbside.person')).toBe('rita')
})
