import type { LatLng } from '~/domain/entities'

export type MapLook = 'light' | 'dark'

/**
 * What a marker shows. `start` and `end` differ in shape as well as in colour; `vehicle` turns with
 * its heading.
 */
export type MarkerKind = 'start' | 'end' | 'stop' | 'vehicle' | 'me' | 'dot' | 'image'

export interface MarkerSpec {
  id: string
  at: LatLng
  kind: MarkerKind
  /** Degrees clockwise from north; kept from the last move when missing. */
  heading?: number
  /** Read out, and shown while pointed at. */
  label?: string
  /** For `image`. */
  image?: { url: string; width: number; height: number }
  /** Drawn stronger than the others. */
  active?: boolean
}

export interface PathSpec {
  id: string
  points: readonly LatLng[]
  /** How much of it lies behind, 0 to 1; that part is drawn faint. */
  progress?: number
  tone?: 'route' | 'faint'
}

/** Room to leave free at each side when fitting, in pixels: a sheet may cover part of the map. */
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

/** Where the picture of the world comes from. */
export type Basemap =
  | { kind: 'bundled'; baseUrl?: string }
  | { kind: 'raster'; url: string; credit: MapCredit; maxZoom?: number }
  | { kind: 'google'; apiKey: string }

export interface MapOptions {
  /** Missing when the page has nothing to show yet: then the city's middle. */
  center: LatLng | undefined
  zoom: number | undefined
  look: MapLook
  language: string
  interactive: boolean
  onMarker(id: string): void
  onClick(at: LatLng): void
  /** After every move; `byHand` when a person made it. */
  onMove(center: LatLng, byHand: boolean): void
  /** The picture is complete, labels and all. */
  onIdle(): void
}

/** Where a map opens that was told nothing: the demo city. */
export const DEFAULT_VIEW = { center: { lat: -34.9011, lng: -56.1645 }, zoom: 13 }

/** A map on the page, whoever draws it. */
export interface MapHandle {
  /** Shows exactly these; those known by id glide to their new place. */
  setMarkers(markers: readonly MarkerSpec[], clustered: boolean): void
  setPaths(paths: readonly PathSpec[]): void
  fit(points: readonly LatLng[], padding: Padding): void
  setView(center: LatLng, zoom?: number): void
  zoomBy(levels: number): void
  getCenter(): LatLng
  setLook(look: MapLook): void
  setLanguage(language: string): void
  /** After its box changed size. */
  resize(): void
  destroy(): void
}
