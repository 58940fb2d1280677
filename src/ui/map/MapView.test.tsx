import { configure, fireEvent, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createInstance } from 'i18next'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { ReactNode } from 'react'
import english from '~/src/i18n/locales/en/shared.json'
import { MapView } from './MapView'
import { MapSetupProvider } from './mapSetup'

// The map code loads when a map first renders, which takes time on a busy machine.
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

beforeEach(() => {
  // Tests have no built map; the component must work without one, as it does offline.
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status: 404 })))
})

test('gives a map a name, markers that the keyboard can reach, and buttons', async () => {
  const chosen: string[] = []
  show(
    <MapView
      label="Live drivers"
      markers={[{ id: 'd1', kind: 'vehicle', position: here, label: 'Ana' }]}
      onMarker={(id) => chosen.push(id)}
    />,
  )
  expect(await screen.findByRole('application', { name: 'Live drivers' })).toBeInTheDocument()
  const marker = await screen.findByRole('button', { name: 'Ana' })
  expect(marker).toHaveProperty('tabIndex', 0)
  await userEvent.click(marker)
  expect(chosen).toEqual(['d1'])
  expect(screen.getByRole('button', { name: 'Zoom in' })).toBeInTheDocument()
})

test('offers the content of the map as a list, which screen readers can read while it is hidden', async () => {
  show(
    <MapView
      label="Live drivers"
      list={[{ id: 'd1', text: 'Ana', detail: 'Free', position: here }]}
    />,
  )
  const list = screen.getByRole('list', { name: 'Live drivers' })
  expect(within(list).getByText('Ana')).toBeInTheDocument()
  expect(list.className).toBe('visually-hidden')
  await userEvent.click(screen.getByRole('button', { name: 'Show as list' }))
  expect(list.className).not.toBe('visually-hidden')
  expect(within(list).getByRole('button', { name: /Ana/ })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Hide list' })).toHaveAttribute('aria-expanded', 'true')
})

test('chooses a marker by its list item or by keyboard alone', async () => {
  const chosen: string[] = []
  show(
    <MapView
      label="Live drivers"
      markers={[{ id: 'd1', kind: 'vehicle', position: here, label: 'Ana' }]}
      list={[{ id: 'd1', text: 'Ana, free', position: here }]}
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

test('stays at the chosen list item when the positions to fit change', async () => {
  const map = (lat: number) => (
    <I18nextProvider i18n={i18n}>
      <MapView
        label="Map"
        fitPositions={[{ lat, lng: here.lng }]}
        list={[{ id: 'a', text: 'A', position: here }]}
      />
    </I18nextProvider>
  )
  const { rerender } = render(map(here.lat))
  await screen.findByRole('application')
  await userEvent.click(screen.getByRole('button', { name: 'Show as list' }))
  expect(screen.queryByRole('button', { name: 'Show everything' })).not.toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'A' }))
  rerender(map(here.lat + 0.001))
  expect(screen.getByRole('button', { name: 'Show everything' })).toBeInTheDocument()
})

test('shows no list when it has no items', () => {
  show(<MapView label="Map" list={[]} />)
  expect(screen.queryByRole('list')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Show as list' })).not.toBeInTheDocument()
})

test('does not treat tabbing through the map as a move', async () => {
  const map = (lat: number) => (
    <I18nextProvider i18n={i18n}>
      <MapView label="Map" fitPositions={[{ lat, lng: here.lng }]} />
    </I18nextProvider>
  )
  const { rerender } = render(map(here.lat))
  const canvas = await screen.findByRole('application')
  canvas.focus()
  await userEvent.keyboard('{Tab}')
  rerender(map(here.lat + 0.001))
  rerender(map(here.lat + 0.002))
  expect(screen.queryByRole('button', { name: 'Show everything' })).not.toBeInTheDocument()
})

test('credits OpenStreetMap with a link', () => {
  show(<MapView label="Map" />)
  const link = screen.getByRole('link', { name: '© OpenStreetMap contributors' })
  expect(link).toHaveAttribute('href', 'https://www.openstreetmap.org/copyright')
})

test('credits the provider of external tiles instead', () => {
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
  expect(screen.getByRole('link', { name: '© Example' })).toBeInTheDocument()
  expect(screen.queryByText('GeoNames')).not.toBeInTheDocument()
})

test('reports the place below the pin after a move', async () => {
  const picked: { lat: number; lng: number }[] = []
  show(<MapView label="Pick" center={here} zoom={15} onPick={(at) => picked.push(at)} />)
  const zoom = await screen.findByRole('button', { name: 'Zoom in' })
  await screen.findByRole('application')
  await userEvent.click(zoom)
  await vi.waitFor(() => expect(picked.length).toBeGreaterThan(0))
  expect(picked[0]!.lat).toBeCloseTo(here.lat, 3)
})

test('can be closed right after the window has changed its size', async () => {
  const width = vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
  onTestFinished(() => width.mockRestore())
  const view = show(
    <MapView
      label="Live drivers"
      markers={[{ id: 'd1', kind: 'vehicle', position: here, label: 'Ana' }]}
    />,
  )
  await screen.findByRole('button', { name: 'Ana' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  width.mockReturnValue(300)
  fireEvent(window, new Event('resize'))
  await new Promise(requestAnimationFrame)
  expect(vi.getTimerCount()).toBeGreaterThan(0)
  view.unmount()
  vi.runAllTimers()
})

test('lets users pick a place without the map, by known places and by steps of the pin', async () => {
  const picked: { lat: number; lng: number }[] = []
  const home = { lat: here.lat + 0.01, lng: here.lng }
  show(
    <MapView
      label="Pick"
      center={here}
      zoom={15}
      onPick={(at) => picked.push(at)}
      list={[{ id: 'home', text: 'Home', position: home }]}
    />,
  )
  await screen.findByRole('application')
  screen.getByRole('button', { name: 'Show as list' }).focus()
  await userEvent.keyboard('{Enter}')
  const list = screen.getByRole('list', { name: 'Pick' })
  await userEvent.tab()
  expect(within(list).getByRole('button', { name: 'Home' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await vi.waitFor(() => expect(picked.at(-1)?.lat).toBeCloseTo(home.lat, 4))
  const steps = [
    ['Move pin north', 50, 0],
    ['Move pin east', 50, 50],
    ['Move pin south', 0, 50],
    ['Move pin west', 0, 0],
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

test('updates markers and removes those that are gone', async () => {
  const map = (markers: { id: string; lat: number }[]) => (
    <I18nextProvider i18n={i18n}>
      <MapView
        label="Map"
        markers={markers.map(({ id, lat }) => ({
          id,
          kind: 'dot',
          position: { lat, lng: here.lng },
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
  await vi.waitFor(() =>
    expect(screen.queryByRole('button', { name: 'b' })).not.toBeInTheDocument(),
  )
  expect(screen.getByRole('button', { name: 'a' })).toBe(first)
})
