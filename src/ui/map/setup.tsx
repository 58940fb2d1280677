import { createContext, useContext } from 'react'
import type { ReactNode } from 'react'
import type { LatLng } from '~/domain/entities'
import type { Basemap } from './port'

export interface MapSetup {
  basemap: Basemap
  /** What to look at before anything is known. */
  home: { center: LatLng; zoom: number }
}

const BUNDLED: MapSetup = {
  basemap: { kind: 'bundled' },
  home: { center: { lat: -34.9011, lng: -56.1645 }, zoom: 12 },
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
