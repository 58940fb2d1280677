import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReactNode } from 'react'
import { toLanguageTag } from '~/domain/language/locales'
import { useColorScheme } from '../theme/useColorScheme'
import { lazyWithRetry } from '../loading/lazyWithRetry'
import { MapControls, type MapExpansion } from './MapControls'
import { MapList, type MapListItem } from './MapList'
import css from './MapView.module.css'
import { useMapSetup, type MapSetup } from './mapSetup'
import { useMapCamera } from './useMapCamera'
import type {
  MapBounds,
  MapCredit,
  MapHandle,
  MapOptions,
  MarkerSpec,
  Padding,
  PolylineSpec,
} from './mapPort'
import type { LatLng } from '~/domain/geo/types'

const LeafletCanvas = lazyWithRetry(async () => (await import('./LeafletCanvas')).LeafletCanvas)
const GoogleCanvas = lazyWithRetry(async () => (await import('./google/GoogleCanvas')).GoogleCanvas)

const BUNDLED_CREDITS: MapCredit[] = [
  { text: '© OpenStreetMap contributors', url: 'https://www.openstreetmap.org/copyright' },
  { text: 'Natural Earth', url: 'https://www.naturalearthdata.com' },
  { text: 'GeoNames', url: 'https://www.geonames.org' },
]

export interface MapViewProps {
  /** The name of the map, such as "Live drivers". */
  label: string
  center?: LatLng
  zoom?: number
  markers?: readonly MarkerSpec[]
  /** Groups markers that would overlap. */
  isClustered?: boolean
  polylines?: readonly PolylineSpec[]
  /** Positions to keep in view until the user moves the map. */
  fitPositions?: readonly LatLng[]
  /** Names the subject of `fitPositions`; another one is brought into view even after a move. */
  fitSubject?: string
  padding?: Padding
  /** False for a static map. */
  isInteractive?: boolean
  onMarker?: (id: string) => void
  /**
   * Shows a pin at the center; called with the position below it whenever the map comes to rest.
   */
  onPick?: (at: LatLng) => void
  /** Called with the visible part whenever the map comes to rest. */
  onBounds?: (bounds: MapBounds) => void
  /**
   * The map's content in words, shown next to the map and read out in its place; with `onPick` it
   * also offers steps that move the pin.
   */
  list?: readonly MapListItem[]
  /** Adds a button that shows the map over the whole screen, or at its place again. */
  expansion?: MapExpansion | null
  /** Content over the bottom of the map. */
  children?: ReactNode
  /** Called when the map is fully drawn, for screenshots. */
  onIdle?: () => void
}

const EMPTY_LIST: readonly never[] = []

/** Pixels that the controls in the upper corners and the content below cover, and a margin. */
const [MARGIN, CONTROLS_SIDE, FOOT_HEIGHT] = [40, 68, 72]

/** Returns the space that a map's own controls need, so that no end of a route lies below one. */
const useControlPadding = (controls: {
  isInteractive: boolean
  hasList: boolean
  hasFoot: boolean
}): Padding => {
  const { i18n } = useTranslation()
  const side = i18n.dir() === 'rtl' ? 'left' : 'right'
  const { isInteractive, hasList, hasFoot } = controls
  return useMemo(
    () => ({
      ...{ top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN },
      ...(isInteractive && { [side]: CONTROLS_SIDE }),
      ...(hasList && { top: CONTROLS_SIDE }),
      ...(hasFoot && { bottom: FOOT_HEIGHT }),
    }),
    [side, isInteractive, hasList, hasFoot],
  )
}

const getCredits = (basemap: MapSetup['basemap']): MapCredit[] => {
  if (basemap.kind === 'raster') return [basemap.credit]
  return basemap.kind === 'google' ? [] : BUNDLED_CREDITS
}

const MapCredits = ({ credits }: { credits: readonly MapCredit[] }) => (
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
)

const PickedPlacePin = () => (
  <div className={css.pin} aria-hidden="true">
    <svg viewBox="0 0 36 48" width="36" height="48">
      <ellipse cx="18" cy="45" rx="6" ry="2.5" className={css.pinShadow} />
      <path d="M18 44C16 44 4 30 4 18a14 14 0 0 1 28 0c0 12-12 26-14 26Z" />
      <circle cx="18" cy="18" r="5.5" />
    </svg>
  </div>
)

interface MapCallbacks extends Pick<MapViewProps, 'onMarker' | 'onPick' | 'onBounds' | 'onIdle'> {
  handle: MapHandle | null
  onMovedByHand: () => void
}

/**
 * Returns the events of a map. The map is created once and outlives renders; it always calls the
 * callbacks of the last render.
 */
const useMapEvents = (
  callbacks: MapCallbacks,
): Pick<MapOptions, 'onMarker' | 'onClick' | 'onIdle' | 'onMove'> => {
  const latest = useRef(callbacks)
  useEffect(() => {
    latest.current = callbacks
  })
  const [events] = useState(() => ({
    onMarker: (id: string) => latest.current.onMarker?.(id),
    onClick: (at: LatLng) => {
      // When the user picks a place, a click moves that place under the pin.
      if (latest.current.onPick) latest.current.handle?.setView(at)
    },
    onIdle: () => latest.current.onIdle?.(),
    onMove: (at: LatLng, byHand: boolean) => {
      const { onMovedByHand, onPick, onBounds, handle } = latest.current
      if (byHand) onMovedByHand()
      onPick?.(at)
      if (handle) onBounds?.(handle.getBounds())
    },
  }))
  const { handle } = callbacks
  useEffect(() => {
    if (handle) latest.current.onBounds?.(handle.getBounds())
  }, [handle])
  return events
}

/** Renders a map that fills its parent, which must have a height. */
export const MapView = ({
  label,
  center,
  zoom,
  markers = EMPTY_LIST,
  isClustered = false,
  polylines = EMPTY_LIST,
  fitPositions = EMPTY_LIST,
  fitSubject,
  padding,
  isInteractive = true,
  onMarker,
  onPick,
  onBounds,
  list = EMPTY_LIST,
  expansion = null,
  children,
  onIdle,
}: MapViewProps) => {
  const { i18n } = useTranslation()
  const theme = useColorScheme()
  const { basemap, home } = useMapSetup()
  const controlPadding = useControlPadding({
    isInteractive,
    hasList: list.length > 0,
    hasFoot: Boolean(children),
  })
  const [handle, setHandle] = useState<MapHandle | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const events = useMapEvents({
    onMarker,
    onPick,
    onBounds,
    onIdle,
    handle,
    onMovedByHand: () => camera.release(),
  })
  const language = toLanguageTag(i18n.language) ?? 'en'
  const start = center ?? fitPositions[0] ?? home?.center
  const options: MapOptions = {
    center: start,
    zoom: zoom ?? home?.zoom,
    theme,
    language,
    isInteractive,
    ...events,
  }

  useEffect(() => handle?.setMarkers(markers, isClustered), [handle, markers, isClustered])
  useEffect(() => handle?.setPolylines(polylines), [handle, polylines])
  useEffect(() => handle?.setTheme(theme), [handle, theme])
  useEffect(() => handle?.setLanguage(language), [handle, language])
  // After the other effects: a map is fitted around what it shows.
  const camera = useMapCamera(handle, {
    center,
    zoom,
    fitPositions,
    fitSubject,
    padding: padding ?? controlPadding,
  })

  const onFailed = useCallback(() => setFailed(true), [])
  const credits = getCredits(basemap)
  const canvas = { options, label, onReady: setHandle, onFailed }

  return (
    <div className={css.view}>
      {/* Before the map, so that users who can't use it need not tab through its markers. */}
      <MapList
        label={label}
        items={list}
        onChoose={(id, at) => {
          camera.goTo(at)
          onMarker?.(id)
        }}
        {...(onPick && { onStep: (move) => handle && camera.goTo(move(handle.getCenter())) })}
      />
      <div className={css.stage}>
        <Suspense fallback={<div className={css.waiting} aria-hidden="true" />}>
          {basemap.kind === 'google' && !hasFailed ? (
            <GoogleCanvas apiKey={basemap.apiKey} {...canvas} />
          ) : (
            // Google's script may be blocked or its key refused; our own map still works.
            <LeafletCanvas
              basemap={basemap.kind === 'google' ? { kind: 'bundled' } : basemap}
              {...canvas}
            />
          )}
        </Suspense>
        {onPick && <PickedPlacePin />}
        {isInteractive && (
          <MapControls
            onZoom={(steps) => handle?.zoomBy(steps)}
            onRecenter={camera.isMoved && fitPositions.length > 0 ? camera.recenter : null}
            expansion={expansion}
          />
        )}
        <div className={css.foot}>
          {children && <div className={css.over}>{children}</div>}
          {credits.length > 0 && <MapCredits credits={credits} />}
        </div>
      </div>
    </div>
  )
}
