import type { LatLng } from '~/domain/geo/types'

export type MapTheme = 'light' | 'dark'

/**
 * The look of a marker. `start` and `end` differ in shape as well as in color; `vehicle` turns with
 * its heading, and `driver` points to it. `number` shows the marker's `text`.
 */
export type MarkerKind =
  'start' | 'end' | 'stop' | 'vehicle' | 'me' | 'dot' | 'image' | 'driver' | 'number'

/** The state that a marker shows: of a driver, or `urgent` of a number. */
export type MarkerTone = 'free' | 'asked' | 'busy' | 'urgent'

export interface MarkerSpec {
  id: string
  position: LatLng
  kind: MarkerKind
  /** Degrees clockwise from north; when missing, the last heading stays. */
  heading?: number
  /** Read by screen readers, and shown on hover. */
  label?: string
  tone?: MarkerTone
  /** The few characters that a `number` shows. */
  text?: string
  /** Required for `image`. */
  image?: { url: string; width: number; height: number }
  /** Highlights the marker. */
  isActive?: boolean
  /** Draws the marker paler than the others. */
  isFaint?: boolean
}

/** The part of the world that a map shows, in degrees. */
export interface MapBounds {
  south: number
  west: number
  north: number
  east: number
}

export interface PolylineSpec {
  id: string
  positions: readonly LatLng[]
  /** The completed part of the line, 0 to 1; it is drawn faint. */
  progress?: number
  tone?: 'route' | 'faint'
}

/** Pixels to leave free at each side when fitting, because a sheet may cover part of the map. */
export interface Padding {
  top?: number
  bottom?: number
  left?: number
  right?: number
}

export interface MapCredit {
  text: string
  url?: string
}

/** The source of the map's tiles. */
export type Basemap =
  | { kind: 'bundled'; baseUrl?: string }
  | { kind: 'raster'; url: string; credit: MapCredit; maxZoom?: number }
  | { kind: 'google'; apiKey: string }

export interface MapOptions {
  /** When missing, the map uses the center of the city. */
  center: LatLng | undefined
  zoom: number | undefined
  theme: MapTheme
  language: string
  isInteractive: boolean
  onMarker(id: string): void
  onClick(at: LatLng): void
  /** Called after every move; `byHand` is true when a person moved the map. */
  onMove(center: LatLng, byHand: boolean): void
  /** Called when the map is fully drawn, including labels. */
  onIdle(): void
}

/** The default view of a map without a center: the demo city. */
export const DEFAULT_VIEW = { center: { lat: -34.9011, lng: -56.1645 }, zoom: 13 }

/** A map on the page, independent of the map library. */
export interface MapHandle {
  /** Shows exactly these markers; markers with a known ID glide to their new position. */
  setMarkers(markers: readonly MarkerSpec[], clustered: boolean): void
  setPolylines(paths: readonly PolylineSpec[]): void
  fit(points: readonly LatLng[], padding: Padding): void
  setView(center: LatLng, zoom?: number): void
  zoomBy(levels: number): void
  getCenter(): LatLng
  getBounds(): MapBounds
  setTheme(theme: MapTheme): void
  setLanguage(language: string): void
  /** Updates the map after its container changed size. */
  resize(): void
  destroy(): void
}
