import { useEffect, useRef, useState } from 'react'
import { createLeafletMap } from './leaflet/createLeafletMap'
import type { Basemap, MapHandle, MapOptions } from './port'
import 'leaflet/dist/leaflet.css'
import './map.css'

export interface CanvasProps {
  /** Read once, when the map is made; later changes go through the handle. */
  options: MapOptions
  /** The map's name for those who do not see it. */
  label: string
  /** The handle when it is there, null when it is gone; must stay the same function. */
  onReady(handle: MapHandle | null): void
  onFailed(): void
}

/** The map on our own tiles, or on pictures from elsewhere. */
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
    const observer =
      typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(() => handle.resize())
    observer?.observe(element)
    return () => {
      observer?.disconnect()
      handle.destroy()
      onReady(null)
    }
  }, [first, onReady])
  return (
    // Leaflet places everything from the left, whichever way the page is written.
    <div
      ref={box}
      className="map-canvas"
      dir="ltr"
      data-look={options.look}
      role="application"
      aria-label={label}
    />
  )
}
