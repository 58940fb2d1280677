import { GoogleMap, useJsApiLoader } from '@react-google-maps/api'
import { useEffect, useRef, useState } from 'react'
import { createGoogleMap, GOOGLE_DARK } from './createGoogleMap'
import { DEFAULT_VIEW } from '../port'
import type { CanvasProps } from '../LeafletCanvas'
import type { MapHandle } from '../port'
import '../map.css'

// One list for the whole page: the loader refuses to load the script twice with different ones.
const LIBRARIES: ('geometry' | 'drawing' | 'places')[] = ['geometry', 'drawing', 'places']
const FILL = { position: 'absolute', inset: 0 } as const

/** Google's map, with a browser key. */
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
  useEffect(() => {
    if (loadError) onFailed()
  }, [loadError, onFailed])
  useEffect(() => {
    // Google's script calls this name when it does not like the key; there is no event for it.
    const page = window as typeof window & { gm_authFailure?: () => void }
    page.gm_authFailure = onFailed
    return () => {
      delete page.gm_authFailure
    }
  }, [onFailed])
  if (!isLoaded) return null
  return (
    <div className="map-canvas" dir="ltr" data-look={options.look} role="region" aria-label={label}>
      <GoogleMap
        mapContainerStyle={FILL}
        center={first.center ?? DEFAULT_VIEW.center}
        zoom={first.zoom ?? DEFAULT_VIEW.zoom}
        options={{
          disableDefaultUI: true,
          clickableIcons: false,
          gestureHandling: first.interactive ? 'greedy' : 'none',
          keyboardShortcuts: first.interactive,
          styles: first.look === 'dark' ? GOOGLE_DARK : [],
        }}
        onLoad={(map) => {
          handle.current = createGoogleMap(map, first)
          onReady(handle.current)
        }}
        onUnmount={() => {
          handle.current?.destroy()
          handle.current = null
          onReady(null)
        }}
      />
    </div>
  )
}
