import { useCallback, useEffect, useRef, useState } from 'react'
import { getDistanceKm } from '~/domain/geo/geo'
import { driverPosition } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import type { MarkerSpec } from '~/src/ui/map/mapPort'
import type { BusyDriver } from '~/domain/dispatch/types'
import type { LatLng } from '~/domain/geo/types'

export interface DriverOnMap {
  id: string
  at: LatLng
  label: string
  carType?: string | undefined
  /** The booking of a busy driver. */
  booking?: string
}

/** Above this number of drivers, markers that would overlap form groups. */
export const MAX_SINGLE_MARKERS = 60

const DEFAULT_IMAGE_URL = '/images/cars/economy.svg'

/** Returns the image of a driver's marker, from the images of the vehicle types by id. */
export const getDriverImage = (
  images: ReadonlyMap<string, string | undefined>,
  carType: string | undefined,
): NonNullable<MarkerSpec['image']> => ({
  url: images.get(carType ?? '') || DEFAULT_IMAGE_URL,
  width: 35,
  height: 25,
})

/** Returns the name of a driver's marker, such as "Darío Conductor · SBB 77 · Free". */
export const formatDriverLabel = (...parts: (string | undefined)[]): string =>
  parts.filter(Boolean).join(' · ')

/** Reports the position of one driver who has a booking. */
export const BusyDriverSubscription = ({
  driver: { id, name, carType, booking },
  onSeen,
}: {
  driver: BusyDriver & { id: string }
  onSeen: (driverOnMap: DriverOnMap | null, uid: string) => void
}) => {
  const { location } = useLive(driverPosition, id)
  const { lat, lng } = location ?? {}
  useEffect(() => {
    if (lat === undefined || lng === undefined) return
    onSeen({ id, at: { lat, lng }, label: name, carType, booking }, id)
  }, [id, lat, lng, name, carType, booking, onSeen])
  useEffect(() => () => onSeen(null, id), [id, onSeen])
  return null
}

/** Milliseconds between map updates; each update applies the moves of many drivers together. */
const BATCH_INTERVAL_MS = 200
type Timer = ReturnType<typeof setTimeout>

/** Returns the drivers' positions, collected from one report per driver. */
export const useBusyDriversOnMap = (): [
  ReadonlyMap<string, DriverOnMap>,
  (driverOnMap: DriverOnMap | null, uid: string) => void,
] => {
  const [shownDrivers, setShownDrivers] = useState<ReadonlyMap<string, DriverOnMap>>(new Map())
  const reported = useRef({
    seen: new Map<string, DriverOnMap>(),
    timer: undefined as Timer | undefined,
  })
  const onSeen = useCallback((driverOnMap: DriverOnMap | null, uid: string) => {
    const now = reported.current
    if (driverOnMap) now.seen.set(uid, driverOnMap)
    else now.seen.delete(uid)
    now.timer ??= setTimeout(() => {
      now.timer = undefined
      setShownDrivers(new Map(now.seen))
    }, BATCH_INTERVAL_MS)
  }, [])
  useEffect(() => {
    const { current } = reported
    return () => {
      clearTimeout(current.timer)
      current.timer = undefined
    }
  }, [])
  return [shownDrivers, onSeen]
}

const getMedian = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** A position farther from the middle than this many times the usual distance is left out. */
const FAR_AWAY = 4

/**
 * The part of the fleet that may lie beyond each edge. The outermost drivers stretch the box to
 * twice its size, and in a city at the coast half of that is sea.
 */
const OUTER_SHARE = 0.1

/** Returns the smallest and the largest of the values between which most of them lie. */
const getCoreRange = (values: readonly number[]): [number, number] => {
  const sorted = [...values].sort((a, b) => a - b)
  const cut = Math.floor(sorted.length * OUTER_SHARE)
  return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0]
}

/**
 * Returns the corners of the box in which a fleet works. Leaves out the few drivers far away from
 * all others, because one of them would shrink the city to a corner of the map, and the outermost
 * of the others.
 */
export const getFleetBounds = (positions: readonly LatLng[]): LatLng[] => {
  if (positions.length < 2) return [...positions]
  const middle = {
    lat: getMedian(positions.map(({ lat }) => lat)),
    lng: getMedian(positions.map(({ lng }) => lng)),
  }
  const usual = getMedian(positions.map((position) => getDistanceKm(position, middle)))
  const near = positions.filter(
    (position) => usual === 0 || getDistanceKm(position, middle) <= usual * FAR_AWAY,
  )
  const [south, north] = getCoreRange(near.map(({ lat }) => lat))
  const [west, east] = getCoreRange(near.map(({ lng }) => lng))
  return [
    { lat: south, lng: west },
    { lat: north, lng: east },
  ]
}
