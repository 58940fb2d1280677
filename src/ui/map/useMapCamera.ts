import { useCallback, useEffect, useState } from 'react'
import type { MapHandle, Padding } from './mapPort'
import type { LatLng } from '~/domain/geo/types'

const LIST_ZOOM = 16

const getPositionsKey = (points: readonly LatLng[]) =>
  points.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(';')

interface CameraOptions {
  center: LatLng | undefined
  zoom: number | undefined
  /** Positions to keep in view until the user moves the map. */
  fitPositions: readonly LatLng[]
  /** Names the subject of `fitPositions`; another one is brought into view even after a move. */
  fitSubject: string | undefined
  padding: Padding
}

/** Keeps positions, or a center, in view until the user moves the map. */
export const useMapCamera = (
  handle: MapHandle | null,
  { center, zoom, fitPositions, fitSubject, padding }: CameraOptions,
) => {
  const [isMoved, setMoved] = useState(false)
  const [subject, setSubject] = useState(fitSubject)
  if (subject !== fitSubject) {
    setSubject(fitSubject)
    setMoved(false)
  }

  const fitKey = getPositionsKey(fitPositions)
  const fitAll = useCallback(() => {
    if (!handle) return
    if (fitPositions.length > 1) handle.fit(fitPositions, padding)
    else if (fitPositions[0]) handle.setView(fitPositions[0])
    // The key stands for the points: pages build a new array on every render.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [handle, fitKey, padding])
  useEffect(() => {
    if (!isMoved) fitAll()
  }, [fitAll, isMoved])

  const centerKey = center && fitPositions.length === 0 ? getPositionsKey([center]) : ''
  useEffect(() => {
    if (handle && center && centerKey) handle.setView(center, zoom)
    // As above: a center is the same when its numbers are.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [handle, centerKey, zoom])

  return {
    /** True after the user moved the map. */
    isMoved,
    /** Leaves the map where the user moved it. */
    release: () => setMoved(true),
    goTo: (at: LatLng) => {
      setMoved(true)
      handle?.setView(at, LIST_ZOOM)
    },
    recenter: () => {
      setMoved(false)
      fitAll()
    },
  }
}
