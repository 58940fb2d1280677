import { cleanup, configure, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ReactNode } from 'react'
import english from '~/src/i18n/locales/en/shared.json'
import { MapView } from './MapView'
import { MapSetupProvider } from './setup'

// The drawing is loaded when it is first shown: on a busy machine that takes its time.
configure({ asyncUtilTimeout: 60_000 })
vi.setConfig({ testTimeout: 60_000 })

const i18n = createInstance()
void i18n
  .use(initReactI18next)
  .init({ lng: 'en', resources: { en: { translation: english } }, initAsync: false })

const here = { lat: -34.9, lng: -56.17 }
const show = (map: ReactNode) =>
  render(
    <I18nextProvider i18n={i18n}>
      <div style={{ width: 400, height: 300 }}>{map}</div>
    </I18nextProvider>,
  )

afterEach(cleanup)
beforeEach(() => {
  // No map was built for a test: the map must do without, as it does offline.
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })))
})

test('a map has a name, markers that can be reached by keyboard, and buttons', async () => {
  const chosen: string[] = []
  show(
    <MapView
      label="Live drivers"
      markers={[{ id: 'd1', kind: 'vehicle', at: here, label: 'Ana' }]}
      onMarker={(id) => chosen.push(id)}
    />,
  )
  expect(await screen.findByRole('application', { name: 'Live drivers' })).toBeTruthy()
  const marker = await screen.findByRole('button', { name: 'Ana' })
  expect(marker).toHaveProperty('tabIndex', 0)
  await userEvent.click(marker)
  expect(chosen).toEqual(['d1'])
  expect(screen.getByRole('button', { name: 'Zoom in' })).toBeTruthy()
})

test('the same is offered as a list, read out even while it is hidden', async () => {
  show(
    <MapView label="Live drivers" list={[{ id: 'd1', text: 'Ana', detail: 'Free', at: here }]} />,
  )
  const list = screen.getByRole('list', { name: 'Live drivers' })
  expect(within(list).getByText('Ana')).toBeTruthy()
  expect(list.className).toBe('visually-hidden')
  await userEvent.click(screen.getByRole('button', { name: 'Show as list' }))
  expect(list.className).not.toBe('visually-hidden')
  expect(within(list).getByRole('button', { name: /Ana/ })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Hide list' }).getAttribute('aria-expanded')).toBe(
    'true',
  )
})

test('a marker is chosen by its line of the list, and by key alone', async () => {
  const chosen: string[] = []
  show(
    <MapView
      label="Live drivers"
      markers={[{ id: 'd1', kind: 'vehicle', at: here, label: 'Ana' }]}
      list={[{ id: 'd1', text: 'Ana, free', at: here }]}
      onMarker={(id) => chosen.push(id)}
    />,
  )
  const marker = await screen.findByRole('button', { name: 'Ana' })
  marker.focus()
  await userEvent.keyboard('{Enter}')
  await userEvent.keyboard(' ')
  expect(chosen).toEqual(['d1', 'd1'])
  screen.getByRole('button', { name: 'Show as list' }).focus()
  await userEvent.keyboard('{Enter}{Tab}')
  await userEvent.keyboard('{Enter}')
  expect(chosen).toEqual(['d1', 'd1', 'd1'])
})

test('who follows the list is not taken back by what the map keeps in sight', async () => {
  const map = (lat: number) => (
    <I18nextProvider i18n={i18n}>
      <MapView
        label="Map"
        fit={[{ lat, lng: here.lng }]}
        list={[{ id: 'a', text: 'A', at: here }]}
      />
    </I18nextProvider>
  )
  const { rerender } = render(map(here.lat))
  await screen.findByRole('application')
  await userEvent.click(screen.getByRole('button', { name: 'Show as list' }))
  expect(screen.queryByRole('button', { name: 'Show everything' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'A' }))
  rerender(map(here.lat + 0.001))
  expect(screen.getByRole('button', { name: 'Show everything' })).toBeTruthy()
})

test('without anything to list there is no list', () => {
  show(<MapView label="Map" list={[]} />)
  expect(screen.queryByRole('list')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Show as list' })).toBeNull()
})

test('going through the map with Tab is no move of it', async () => {
  const map = (lat: number) => (
    <I18nextProvider i18n={i18n}>
      <MapView label="Map" fit={[{ lat, lng: here.lng }]} />
    </I18nextProvider>
  )
  const { rerender } = render(map(here.lat))
  const canvas = await screen.findByRole('application')
  canvas.focus()
  await userEvent.keyboard('{Tab}')
  rerender(map(here.lat + 0.001))
  rerender(map(here.lat + 0.002))
  expect(screen.queryByRole('button', { name: 'Show everything' })).toBeNull()
})

test('OpenStreetMap is credited with a link', () => {
  show(<MapView label="Map" />)
  const link = screen.getByRole('link', { name: '© OpenStreetMap contributors' })
  expect(link.getAttribute('href')).toBe('https://www.openstreetmap.org/copyright')
})

test('a map of pictures from elsewhere credits their maker instead', () => {
  show(
    <MapSetupProvider
      setup={{
        basemap: {
          kind: 'raster',
          url: 'https://tiles.example/{z}/{x}/{y}.png',
          credit: { text: '© Example', url: 'https://example.com' },
        },
      }}
    >
      <MapView label="Map" />
    </MapSetupProvider>,
  )
  expect(screen.getByRole('link', { name: '© Example' })).toBeTruthy()
  expect(screen.queryByText('GeoNames')).toBeNull()
})

test('choosing a place by its pin tells the place below it after a move', async () => {
  const picked: { lat: number; lng: number }[] = []
  show(<MapView label="Pick" center={here} zoom={15} onPick={(at) => picked.push(at)} />)
  const zoom = await screen.findByRole('button', { name: 'Zoom in' })
  await screen.findByRole('application')
  await userEvent.click(zoom)
  await vi.waitFor(() => expect(picked.length).toBeGreaterThan(0))
  expect(picked[0]!.lat).toBeCloseTo(here.lat, 3)
})

test('a place is picked without the map: by known places and by steps of the pin', async () => {
  const picked: { lat: number; lng: number }[] = []
  const home = { lat: here.lat + 0.01, lng: here.lng }
  show(
    <MapView
      label="Pick"
      center={here}
      zoom={15}
      onPick={(at) => picked.push(at)}
      list={[{ id: 'home', text: 'Home', at: home }]}
    />,
  )
  await screen.findByRole('application')
  screen.getByRole('button', { name: 'Show as list' }).focus()
  await userEvent.keyboard('{Enter}')
  const list = screen.getByRole('list', { name: 'Pick' })
  await userEvent.tab()
  expect(document.activeElement).toBe(within(list).getByRole('button', { name: 'Home' }))
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(picked.at(-1)?.lat).toBeCloseTo(home.lat, 4))
  const steps = [
    ['A little further north', 50, 0],
    ['A little further east', 50, 50],
    ['A little further south', 0, 50],
    ['A little further west', 0, 0],
  ] as const
  for (const [name, north, east] of steps) {
    await userEvent.click(within(list).getByRole('button', { name }))
    await vi.waitFor(() => {
      const at = picked.at(-1)!
      expect((at.lat - home.lat) * 111_195).toBeCloseTo(north, -1)
      expect((at.lng - home.lng) * 111_195 * Math.cos((at.lat * Math.PI) / 180)).toBeCloseTo(
        east,
        -1,
      )
    })
  }
})

test('markers follow what they are told and leave when they are gone', async () => {
  const map = (markers: { id: string; lat: number }[]) => (
    <I18nextProvider i18n={i18n}>
      <MapView
        label="Map"
        markers={markers.map(({ id, lat }) => ({
          id,
          kind: 'dot',
          at: { lat, lng: here.lng },
          label: id,
        }))}
      />
    </I18nextProvider>
  )
  const { rerender } = render(
    map([
      { id: 'a', lat: here.lat },
      { id: 'b', lat: here.lat },
    ]),
  )
  const first = await screen.findByRole('button', { name: 'a' })
  rerender(map([{ id: 'a', lat: here.lat + 0.001 }]))
  await vi.waitFor(() => expect(screen.queryByRole('button', { name: 'b' })).toBeNull())
  expect(screen.getByRole('button', { name: 'a' })).toBe(first)
})
