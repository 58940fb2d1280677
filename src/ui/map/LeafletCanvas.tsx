import { useEffect, useRef, useState } from 'react'
import { createLeafletMap } from './leaflet/createLeafletMap'
import type { Basemap, MapHandle, MapOptions } from './mapPort'
import { observeSize } from './observeSize'
import 'leaflet/dist/leaflet.css'
import './map.css'

export interface CanvasProps {
  /** Read once, when the map is created; later changes go through the handle. */
  options: MapOptions
  /** The map's accessible name. */
  label: string
  /**
   * Receives the handle once it exists and null after the map is removed; must remain the same
   * function.
   */
  onReady(handle: MapHandle | null): void
  onFailed(): void
}

/** Renders the map with our own tiles or with external raster tiles. */
export const LeafletCanvas = ({
  basemap,
  options,
  label,
  onReady,
}: CanvasProps & { basemap: Exclude<Basemap, { kind: 'google' }> }) => {
  const box = useRef<HTMLDivElement>(null)
  const [first] = useState({ basemap, options })
  useEffect(() => {
    const element = box.current
    if (!element) return
    const handle = createLeafletMap(element, first.basemap, first.options)
    onReady(handle)
    const stopObserving = observeSize(element, handle.resize)
    return () => {
      stopObserving()
      handle.destroy()
      onReady(null)
    }
  }, [first, onReady])
  return (
    // Leaflet positions everything from the left, whatever the page's text direction.
    <div
      ref={box}
      className="map-canvas"
      dir="ltr"
      data-look={options.theme}
      role="application"
      aria-label={label}
    />
  )
}
