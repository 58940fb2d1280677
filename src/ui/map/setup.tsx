import * as v from 'valibot'
import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { LatLng } from '~/domain/entities'
import type { Basemap } from './port'

export interface MapSetup {
  basemap: Basemap
  /** What to look at before anything is known; the bundled city when missing. */
  home?: { center: LatLng; zoom: number }
}

const BUNDLED: MapSetup = { basemap: { kind: 'bundled' } }

const basemap = v.variant('kind', [
  v.object({ kind: v.literal('bundled'), baseUrl: v.optional(v.string()) }),
  v.object({ kind: v.literal('google'), apiKey: v.pipe(v.string(), v.minLength(1)) }),
  v.object({
    kind: v.literal('raster'),
    url: v.pipe(v.string(), v.includes('{z}')),
    credit: v.object({ text: v.string(), url: v.optional(v.string()) }),
    maxZoom: v.optional(v.number()),
  }),
])

/** The basemap a configuration file asks for; the bundled one when it asks for none we know. */
export const basemapOf = (configured: unknown): Basemap => {
  const parsed = v.safeParse(basemap, configured)
  return parsed.success ? (parsed.output as Basemap) : BUNDLED.basemap
}

const Setup = createContext<MapSetup>(BUNDLED)

/** Tells every map below which picture of the world to draw, and where. */
export const MapSetupProvider = ({
  setup,
  children,
}: {
  setup: Partial<MapSetup>
  children: ReactNode
}) => <Setup value={{ ...BUNDLED, ...setup }}>{children}</Setup>

export const useMapSetup = (): MapSetup => useContext(Setup)
