import { act, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { decodePolyline, encodePolyline } from '~/domain/geo/polyline'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import type { PolylineSpec } from '~/src/ui/map/mapPort'
import { type RoutedBooking, useRoutePolylines } from './routePolylines'
import type { LatLng } from '~/domain/geo/types'
import type { Status } from '~/domain/booking/types'

beforeEach(() => vi.useRealTimers())

const at = (east: number, north = 0): LatLng => ({ lat: north / 100, lng: east / 100 })
const PICKUP = at(0)
const DROP = at(4)
/** Four and a half kilometers due east. */
const ROUTE = [at(0), at(2), at(4)]
const trip = (over: Partial<RoutedBooking> = {}): RoutedBooking => ({
  status: 'STARTED',
  pickup: PICKUP,
  drop: DROP,
  route: encodePolyline(ROUTE),
  ...over,
})

interface Given {
  trip: RoutedBooking
  car?: LatLng | undefined
  driven?: LatLng[]
  isLive?: boolean
}
const Lines = ({ trip: shown, car, driven = [], isLive = true }: Given) => {
  const paths = useRoutePolylines(shown, { car, driven, isLive })
  return <p>{JSON.stringify(paths)}</p>
}
/** Renders the polylines and records the requested routes. */
const drawing = (given: Given, answer: LatLng[] = [at(1, 1), at(4, 1), DROP]) => {
  const routeRequests: { start: string; dest: string; waypoints?: string }[] = []
  const backend = makeMemoryBackend({
    handlers: {
      'googleapis-getdirections': (input: (typeof routeRequests)[number]) => {
        routeRequests.push(input)
        return { distance_in_km: 3, time_in_secs: 300, polylinePoints: encodePolyline(answer) }
      },
    },
  })
  const store = makeStore(backend.services)
  const element = (next: Given) => (
    <Provider store={store}>
      <Lines {...next} />
    </Provider>
  )
  const view = render(element(given))
  return {
    routeRequests,
    paths: () => JSON.parse(screen.getByRole('paragraph').textContent ?? '[]') as PolylineSpec[],
    next: (changed: Partial<Given>) => act(() => view.rerender(element({ ...given, ...changed }))),
  }
}
const summary = (paths: PolylineSpec[]) =>
  paths.map(({ id, tone, progress }) => [
    id,
    tone,
    progress === undefined ? undefined : Math.round(progress * 100) / 100,
  ])

describe('the planned route', () => {
  test.each<Status>(['NEW', 'ARRIVED', 'PENDING', 'COMPLETE', 'CANCELLED'])(
    'is a single polyline for a %s booking and needs no request',
    (status) => {
      const { paths, routeRequests } = drawing({ trip: trip({ status }) })
      expect(summary(paths())).toEqual([['planned', 'route', undefined]])
      expect(paths()[0]?.positions).toEqual(decodePolyline(encodePolyline(ROUTE)))
      expect(routeRequests).toEqual([])
    },
  )

  test('is drawn faintly under the driven track', () => {
    const { paths } = drawing({ trip: trip({ status: 'PAID' }), driven: [at(0), at(1, 1), at(4)] })
    expect(summary(paths())).toEqual([
      ['planned', 'faint', undefined],
      ['driven', undefined, undefined],
    ])
  })

  test('is requested once for a booking without a stored route', async () => {
    const { paths, routeRequests } = drawing(
      { trip: trip({ status: 'NEW', route: undefined }) },
      ROUTE,
    )
    expect(summary(paths())).toEqual([['planned', 'faint', undefined]])
    await waitFor(() => expect(summary(paths())).toEqual([['planned', 'route', undefined]]))
    expect(routeRequests).toHaveLength(1)
  })
})

describe('while the car is driving', () => {
  test('draws the part ahead of the driver apart from the part behind', () => {
    const { paths, routeRequests } = drawing({ trip: trip(), car: at(1) })
    expect(summary(paths())).toEqual([['way', undefined, 0.25]])
    expect(routeRequests).toEqual([])
  })

  test('draws the whole planned route as one line at the start', () => {
    const { paths, routeRequests } = drawing({ trip: trip(), car: at(1), isLive: false })
    expect(summary(paths())).toEqual([['planned', 'route', undefined]])
    expect(routeRequests).toEqual([])
  })

  test('requests another route over the remaining stops when the car leaves the route', async () => {
    const stops = [at(1), at(3)]
    const { paths, routeRequests, next } = drawing({ trip: trip({ waypoints: stops }), car: at(2) })
    next({ car: at(2.2, 1) })
    await waitFor(() => expect(routeRequests).toHaveLength(1))
    expect(routeRequests[0]).toMatchObject({
      start: '0.01,0.022000000000000002',
      dest: '0,0.04',
      waypoints: '0,0.03',
    })
    await waitFor(() => expect(summary(paths()).map(([id]) => id)).toEqual(['planned', 'way']))
    expect(summary(paths())[0]).toEqual(['planned', 'faint', undefined])
  })

  test('does not request another route at every position', async () => {
    const { paths, routeRequests, next } = drawing({ trip: trip(), car: at(1, 1) })
    await waitFor(() => expect(summary(paths()).map(([id]) => id)).toEqual(['planned', 'way']))
    next({ car: at(2, 1) })
    next({ car: at(2, 3) })
    next({ car: at(2, 3.5) })
    expect(routeRequests).toHaveLength(1)
  })

  test('returns to the planned route when the car is back on it', async () => {
    const { paths, next } = drawing({ trip: trip(), car: at(1, 1) })
    await waitFor(() => expect(summary(paths()).map(([id]) => id)).toEqual(['planned', 'way']))
    next({ car: at(3) })
    expect(summary(paths())).toEqual([['way', undefined, 0.75]])
  })

  test('draws the route to the pickup over the faint planned route', async () => {
    const { paths, routeRequests } = drawing(
      { trip: trip({ status: 'ACCEPTED' }), car: at(0, 2) },
      [at(0, 2), PICKUP],
    )
    await waitFor(() =>
      expect(summary(paths())).toEqual([
        ['planned', 'faint', undefined],
        ['way', undefined, 0],
      ]),
    )
    expect(routeRequests).toMatchObject([{ dest: '0,0' }])
  })

  test('keeps the planned route when the request fails', async () => {
    const { paths, routeRequests } = drawing({ trip: trip(), car: at(1, 9) }, [])
    await waitFor(() => expect(routeRequests).toHaveLength(1))
    expect(summary(paths())).toEqual([['planned', 'route', undefined]])
  })
})
