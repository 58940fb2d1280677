import type { ShippedLocale } from '../catalog/languages'
import type { Business } from './business'
import { type CatalogText, translateFor } from './catalogTranslations'
import { scalePrice } from './startPrices'
import type { CancellationReason, Settings, TranslatedChoice, VehicleType } from '../catalog/types'
import type { Kilometers } from '../language/units'

const KM_PER_MILE = 1.609344

/** Prices in euros, per kilometer and hour. */
interface StartVehicle {
  id: string
  carries: Exclude<Business, 'both'>
  name: CatalogText
  info: CatalogText
  base: number
  perKm: Kilometers
  perHour: number
  min: number
  feePercentage: number
  parcelTypes?: readonly (readonly [CatalogText, number])[]
  options?: readonly (readonly [CatalogText, number])[]
}

const START_VEHICLES: readonly StartVehicle[] = [
  {
    id: 'courier',
    carries: 'parcels',
    name: 'Courier',
    info: 'Motorbike, up to 12 kg',
    base: 2,
    perKm: 0.8,
    perHour: 12,
    min: 4,
    feePercentage: 10,
    parcelTypes: [
      ['Documents', 0],
      ['Small box, up to 5 kg', 1.5],
      ['Meal or groceries', 1],
      ['Box, up to 12 kg', 2.5],
    ],
    options: [
      ['Hand over at the door', 0],
      ['Fragile, with care', 1.5],
      ['Bring back a signed copy', 3],
    ],
  },
  {
    id: 'economy',
    carries: 'rides',
    name: 'Economy',
    info: 'Four seats',
    base: 2.5,
    perKm: 1.2,
    perHour: 15,
    min: 5,
    feePercentage: 12,
  },
  {
    id: 'xl',
    carries: 'rides',
    name: 'XL',
    info: 'Six seats',
    base: 4,
    perKm: 1.6,
    perHour: 20,
    min: 8,
    feePercentage: 12,
  },
  {
    id: 'premium',
    carries: 'rides',
    name: 'Premium',
    info: 'Four seats, newer cars',
    base: 5,
    perKm: 2,
    perHour: 25,
    min: 10,
    feePercentage: 15,
  },
  {
    id: 'van',
    carries: 'parcels',
    name: 'Van',
    info: 'Cargo van, up to 600 kg',
    base: 8,
    perKm: 2,
    perHour: 25,
    min: 20,
    feePercentage: 10,
    parcelTypes: [
      ['Furniture, one piece', 5],
      ['Appliance', 6],
      ['Pallet', 12],
      ['Boxes, up to twenty', 8],
    ],
    options: [
      ['Driver only', 0],
      ['One helper', 12],
      ['Two helpers and stairs', 24],
    ],
  },
]

/** Minutes after the acceptance, and the fee as a part of the minimum fare. */
const CANCELLATION_FEES: readonly (readonly [minutes: number, part: number])[] = [
  [2, 0],
  [5, 0.25],
  [10, 0.5],
]

type PriceSettings = Pick<
  Settings,
  'code' | 'decimal' | 'convert_to_mile' | 'fareStep' | 'providerStep'
>

/**
 * Returns the vehicle types that a company starts with: for what it carries, named in its main
 * language, with prices in the magnitude of its currency.
 */
export const createStartVehicleTypes = (
  business: Business,
  language: ShippedLocale,
  settings: PriceSettings,
  now: number,
): VehicleType[] => {
  const price = (euros: number) => scalePrice(euros, settings)
  const toChoice = ([description, euros]: readonly [CatalogText, number]): TranslatedChoice => {
    const { text, names } = translateFor(description, language)
    return { description: text, names, amount: price(euros) }
  }
  return START_VEHICLES.filter(({ carries }) => business === 'both' || business === carries).map(
    ({ id, name, info, base, perKm, perHour, min, feePercentage, parcelTypes, options }) => {
      const { text, names } = translateFor(name, language)
      const translatedInfo = translateFor(info, language)
      return {
        id,
        name: text,
        names,
        image: `/images/cars/${id}.svg`,
        base_fare: price(base),
        rate_per_unit_distance: price(settings.convert_to_mile ? perKm * KM_PER_MILE : perKm),
        rate_per_hour: price(perHour),
        min_fare: price(min),
        convenience_fees: feePercentage,
        convenience_fee_type: 'percentage',
        extra_info: translatedInfo.text,
        infos: translatedInfo.names,
        createdAt: now,
        ...(parcelTypes && { parcelTypes: parcelTypes.map(toChoice) }),
        ...(options && { options: options.map(toChoice) }),
        cancelSlab: CANCELLATION_FEES.map(([minsDelayed, part]) => ({
          minsDelayed,
          amount: price(min * part),
        })),
      }
    },
  )
}

const REASONS: readonly CatalogText[] = [
  'It is taking too long',
  'Plans have changed',
  'Wrong pickup or drop',
  'The other side does not answer',
]
const REASONS_OF: Record<Business, readonly CatalogText[]> = {
  rides: ['More people or luggage than fit'],
  parcels: ['Not everything is ready'],
  both: ['More people or luggage than fit', 'Not everything is ready'],
}

/** Returns the reasons from which riders and drivers choose, in the company's main language. */
export const createStartReasons = (
  business: Business,
  language: ShippedLocale,
): CancellationReason[] =>
  [...REASONS, ...REASONS_OF[business]].map((reason, value) => {
    const { text, names } = translateFor(reason, language)
    return { label: text, names, value }
  })
