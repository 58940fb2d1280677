import { GoogleMap, useJsApiLoader } from '@react-google-maps/api'
import { useEffect, useRef, useState } from 'react'
import { createGoogleMap, GOOGLE_DARK } from './createGoogleMap'
import { DEFAULT_VIEW } from '../mapPort'
import type { CanvasProps } from '../LeafletCanvas'
import type { MapHandle } from '../mapPort'
import { observeSize } from '../observeSize'
import '../map.css'

// One list for the whole page: the loader refuses to load the script twice with different
// libraries.
const LIBRARIES: ('geometry' | 'drawing' | 'places')[] = ['geometry', 'drawing', 'places']
const FILL = { position: 'absolute', inset: 0 } as const

/** Calls `onFailed` when Google's script does not load, or refuses the key. */
const useFailure = (loadError: Error | undefined, onFailed: () => void) => {
  useEffect(() => {
    if (loadError) onFailed()
  }, [loadError, onFailed])
  useEffect(() => {
    // Google's script calls this global function when it refuses the key; no event exists for it.
    const page = window as typeof window & { gm_authFailure?: () => void }
    page.gm_authFailure = onFailed
    return () => {
      delete page.gm_authFailure
    }
  }, [onFailed])
}

/** Renders Google's map with a browser key. */
export const GoogleCanvas = ({
  apiKey,
  options,
  label,
  onReady,
  onFailed,
}: CanvasProps & { apiKey: string }) => {
  const [first] = useState(options)
  const { isLoaded, loadError } = useJsApiLoader({
    id: 'google-maps',
    googleMapsApiKey: apiKey,
    language: first.language,
    libraries: LIBRARIES,
  })
  const handle = useRef<MapHandle | null>(null)
  const stopObserving = useRef<(() => void) | null>(null)
  useFailure(loadError, onFailed)
  if (!isLoaded) return null
  return (
    <div
      className="map-canvas"
      dir="ltr"
      data-look={options.theme}
      role="region"
      aria-label={label}
    >
      <GoogleMap
        mapContainerStyle={FILL}
        center={first.center ?? DEFAULT_VIEW.center}
        zoom={first.zoom ?? DEFAULT_VIEW.zoom}
        options={{
          disableDefaultUI: true,
          clickableIcons: false,
          gestureHandling: first.isInteractive ? 'greedy' : 'none',
          keyboardShortcuts: first.isInteractive,
          styles: first.theme === 'dark' ? GOOGLE_DARK : [],
        }}
        onLoad={(map) => {
          handle.current = createGoogleMap(map, first)
          stopObserving.current = observeSize(map.getDiv(), handle.current.resize)
          onReady(handle.current)
        }}
        onUnmount={() => {
          stopObserving.current?.()
          handle.current?.destroy()
          handle.current = null
          onReady(null)
        }}
      />
    </div>
  )
}
