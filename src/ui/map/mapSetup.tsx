import * as v from 'valibot'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { Basemap } from './mapPort'
import type { LatLng } from '~/domain/geo/types'

export interface MapSetup {
  basemap: Basemap
  /** The initial view; the bundled city when missing. */
  home?: { center: LatLng; zoom: number }
}

const BUNDLED: MapSetup = { basemap: { kind: 'bundled' } }

const basemapSchema = v.variant('kind', [
  v.object({ kind: v.literal('bundled'), baseUrl: v.optional(v.string()) }),
  v.object({ kind: v.literal('google'), apiKey: v.pipe(v.string(), v.minLength(1)) }),
  v.object({
    kind: v.literal('raster'),
    url: v.pipe(v.string(), v.includes('{z}')),
    credit: v.object({ text: v.string(), url: v.optional(v.string()) }),
    maxZoom: v.optional(v.number()),
  }),
])

/** Returns the configured basemap, or the bundled one when the configuration is unknown. */
export const parseBasemap = (configured: unknown): Basemap => {
  const parsed = v.safeParse(basemapSchema, configured)
  return parsed.success ? parsed.output : BUNDLED.basemap
}

const MapSetupContext = createContext<MapSetup>(BUNDLED)

/** Provides every map below with its basemap and initial view. */
export const MapSetupProvider = ({
  setup,
  children,
}: {
  setup: Partial<MapSetup>
  children: ReactNode
}) => <MapSetupContext value={{ ...BUNDLED, ...setup }}>{children}</MapSetupContext>

export const useMapSetup = (): MapSetup => useContext(MapSetupContext)
