import { generateDemand } from '~/domain/replay/generatedDemand'
import {
  generateParcels,
  type GeneratedParcels,
  type ParcelScenario,
} from '../parcels/parcelDemand'
import type { ReplayScenario } from '~/domain/replay/scenario'
import { createVehicleTypes, DEMO_SETTINGS } from '~/seed/catalog'
import type { CityStreets } from './streetTimes'
import type { Hours } from '~/domain/language/units'

/** Eight in the morning of a Monday in Montevideo. */
const START = Date.UTC(2026, 8, 7, 11)

export interface CityDemand {
  seed: number
  drivers: number
  load: number
  hours: Hours
}

/** Generates demand in the built city at the prices of the demo city's second vehicle type. */
export const createCityDemand = (city: CityStreets, demand: CityDemand): ReplayScenario => {
  const [, vehicleType] = createVehicleTypes(START)
  if (!vehicleType) throw new Error('The demo city has no second vehicle type. Add it.')
  return generateDemand({
    ...city,
    ...demand,
    start: START,
    settings: { ...DEMO_SETTINGS, appcat: 'taxi' },
    vehicleType,
  })
}

export type CityParcels = Omit<GeneratedParcels, 'start' | 'places' | 'center' | 'travel'>

/** Generates parcels in the built city. */
export const createCityParcels = (city: CityStreets, demand: CityParcels): ParcelScenario =>
  generateParcels({ ...city, ...demand, start: START })
