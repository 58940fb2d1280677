import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import type { LatLng } from '~/domain/entities'
import { tagOf } from '~/src/i18n/speak'
import { useScheme } from '../scheme'
import { MapList, type MapListItem } from './MapList'
import css from './MapView.module.css'
import { useMapSetup } from './setup'
import type { MapCredit, MapHandle, MapOptions, MarkerSpec, Padding, PathSpec } from './port'

const LeafletCanvas = lazy(async () => ({
  default: (await import('./LeafletCanvas')).LeafletCanvas,
}))
const GoogleCanvas = lazy(async () => ({
  default: (await import('./google/GoogleCanvas')).GoogleCanvas,
}))

const BUNDLED_CREDITS: MapCredit[] = [
  { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
  { text: 'Natural Earth', url: 'https://www.naturalearthdata.com' },
  { text: 'GeoNames', url: 'https://www.geonames.org' },
]

export interface MapViewProps {
  /** What the map is of: "Live drivers". */
  label: string
  center?: LatLng
  zoom?: number
  markers?: readonly MarkerSpec[]
  /** Groups markers that would lie on each other. */
  clustered?: boolean
  paths?: readonly PathSpec[]
  /** Points to keep in sight, until somebody moves the map himself. */
  fit?: readonly LatLng[]
  padding?: Padding
  /** False for a picture one only looks at. */
  interactive?: boolean
  onMarker?: (id: string) => void
  /** Shows a pin over the middle; called with the place below it whenever the map came to rest. */
  onPick?: (at: LatLng) => void
  /** The same in words, offered beside the map and read out in its place; whoever picks gets steps of the pin too. */
  list?: readonly MapListItem[]
  /** Over the map, at its bottom. */
  children?: ReactNode
  /** The picture is complete; for those who take one. */
  onIdle?: () => void
}

const NONE: readonly never[] = []
const LIST_ZOOM = 16

const keyOf = (points: readonly LatLng[]) =>
  points.map(({ lat, lng }) => `${lat.toFixed(5)},${lng.toFixed(5)}`).join(';')

/** A map that fills its parent, which must have a height. */
export const MapView = ({
  label,
  center,
  zoom,
  markers = NONE,
  clustered = false,
  paths = NONE,
  fit = NONE,
  padding,
  interactive = true,
  onMarker,
  onPick,
  list = NONE,
  children,
  onIdle,
}: MapViewProps) => {
  const { t, i18n } = useTranslation()
  const look = useScheme()
  const { basemap, home } = useMapSetup()
  const [handle, setHandle] = useState<MapHandle | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [isMoved, setMoved] = useState(false)

  // The map is made once and outlives renders; it always calls what the last render passed.
  const calls = useRef({ onMarker, onPick, onIdle, handle })
  useEffect(() => {
    calls.current = { onMarker, onPick, onIdle, handle }
  })
  const isPicking = onPick !== undefined
  const [events] = useState(() => ({
    onMarker: (id: string) => calls.current.onMarker?.(id),
    onClick: (at: LatLng) => {
      // Choosing a place by its pin, a click brings the place under the pin.
      if (calls.current.onPick) calls.current.handle?.setView(at)
    },
    onIdle: () => calls.current.onIdle?.(),
    onMove: (at: LatLng, byHand: boolean) => {
      if (byHand) setMoved(true)
      calls.current.onPick?.(at)
    },
  }))
  const language = tagOf(i18n.language) ?? 'en'
  const start = center ?? fit[0] ?? home?.center
  const options: MapOptions = {
    center: start,
    zoom: zoom ?? home?.zoom,
    look,
    language,
    interactive,
    ...events,
  }

  useEffect(() => handle?.setMarkers(markers, clustered), [handle, markers, clustered])
  useEffect(() => handle?.setPaths(paths), [handle, paths])
  useEffect(() => handle?.setLook(look), [handle, look])
  useEffect(() => handle?.setLanguage(language), [handle, language])

  const room = useMemo(() => padding ?? {}, [padding])
  const fitKey = keyOf(fit)
  const fitAll = useCallback(() => {
    if (!handle) return
    if (fit.length > 1) handle.fit(fit, room)
    else if (fit[0]) handle.setView(fit[0])
    // The key stands for the points: pages build a new array on every render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [handle, fitKey, room])
  useEffect(() => {
    if (!isMoved) fitAll()
  }, [fitAll, isMoved])

  const centerKey = center && fit.length === 0 ? keyOf([center]) : ''
  useEffect(() => {
    if (handle && center && centerKey) handle.setView(center, zoom)
    // As above: a center is the same when its numbers are.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [handle, centerKey, zoom])

  const onFailed = useCallback(() => setFailed(true), [])
  const credits: MapCredit[] =
    basemap.kind === 'raster' ? [basemap.credit] : basemap.kind === 'google' ? [] : BUNDLED_CREDITS
  const canvas = { options, label, onReady: setHandle, onFailed }
  const goTo = (at: LatLng) => {
    setMoved(true)
    handle?.setView(at, LIST_ZOOM)
  }
  const recenter = () => {
    setMoved(false)
    fitAll()
  }

  return (
    <div className={css.view}>
      {/* Before the map: who has no use for it need not go through all its markers. */}
      <MapList
        label={label}
        items={list}
        onChoose={(id, at) => {
          goTo(at)
          onMarker?.(id)
        }}
        {...(isPicking && { onStep: (step) => handle && goTo(step(handle.getCenter())) })}
      />
      <div className={css.stage}>
        <Suspense fallback={<div className={css.waiting} aria-hidden="true" />}>
          {basemap.kind === 'google' && !hasFailed ? (
            <GoogleCanvas apiKey={basemap.apiKey} {...canvas} />
          ) : (
            // Google's script may be blocked, or its key refused: our own map still works.
            <LeafletCanvas
              basemap={basemap.kind === 'google' ? { kind: 'bundled' } : basemap}
              {...canvas}
            />
          )}
        </Suspense>
        {isPicking && (
          <div className={css.pin} aria-hidden="true">
            <svg viewBox="0 0 36 48" width="36" height="48">
              <ellipse cx="18" cy="45" rx="6" ry="2.5" className={css.pinShadow} />
              <path d="M18 44C16 44 4 30 4 18a14 14 0 0 1 28 0c0 12-12 26-14 26Z" />
              <circle cx="18" cy="18" r="5.5" />
            </svg>
          </div>
        )}
        {interactive && (
          <div className={css.controls}>
            <button type="button" aria-label={t('map_zoom_in')} onClick={() => handle?.zoomBy(1)}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M12 6v12M6 12h12" />
              </svg>
            </button>
            <button type="button" aria-label={t('map_zoom_out')} onClick={() => handle?.zoomBy(-1)}>
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d="M6 12h12" />
              </svg>
            </button>
            {isMoved && fit.length > 0 && (
              <button type="button" aria-label={t('map_recenter')} onClick={recenter}>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d="M12 3v4m0 10v4M3 12h4m10 0h4" />
                  <circle cx="12" cy="12" r="4.5" />
                </svg>
              </button>
            )}
          </div>
        )}
        <div className={css.foot}>
          {children && <div className={css.over}>{children}</div>}
          {credits.length > 0 && (
            <p className={css.credits} dir="ltr">
              {credits.map(({ text, url }, i) => (
                <span key={text}>
                  {i > 0 && ' · '}
                  {url ? (
                    <a href={url} target="_blank" rel="noreferrer">
                      {text}
                    </a>
                  ) : (
                    text
                  )}
                </span>
              ))}
            </p>
          )}
        </div>
      </div>
    </div>
  )
}
