import { createSettings } from '~/domain/catalog/defaultSettings'
import { type CatalogText, translateToOthers } from '~/domain/setup/catalogTranslations'
import { DAY_MS } from '~/domain/language/timeUnits'
import type {
  CancellationReason,
  Promo,
  Settings,
  TranslatedChoice,
  VehicleType,
} from '~/domain/catalog/types'

/** The kind of company that the demo shows. */
export type DemoCategory = Settings['appcat']

/** Returns the demo city's settings: Montevideo, with parcels or as a taxi company. */
export const createDemoSettings = (appcat: DemoCategory): Settings => ({
  ...createSettings({
    country: 'Uruguay',
    restrictCountry: 'UY',
    symbol: '$U',
    code: 'UYU',
    appcat,
    timezone: 'America/Montevideo',
  }),
  CompanyName: 'Kerbside Montevideo',
  CompanyWebsite: 'https://kerbside.example',
  CompanyTerms: 'https://kerbside.example/terms',
  contact_email: 'hello@kerbside.example',
  FacebookHandle: 'https://facebook.com/kerbside.example',
  TwitterHandle: 'https://twitter.com/kerbside.example',
  InstagramHandle: 'https://instagram.com/kerbside.example',
  AppleStoreLink: 'https://apps.apple.com/app/kerbside-demo',
  PlayStoreLink: 'https://play.google.com/store/apps/details?id=example.kerbside',
  bonus: 50,
  // A visitor of the demo sees the bonus at once.
  bonusDelayDays: 0,
  walletMoneyField: '200,500,1000,2000',
  panic: '911',
  autoDispatch: false,
  // The product's default; the live city switches it on.
  requeueDeclined: false,
})
export const DEMO_SETTINGS = createDemoSettings('delivery')

const toImageUrl = (name: string) => `/images/cars/${name}.svg`
const named = (name: CatalogText) => ({ name, names: translateToOthers(name) })
const informed = (info: CatalogText) => ({ extra_info: info, infos: translateToOthers(info) })
const translated = (description: CatalogText, amount: number): TranslatedChoice => ({
  description,
  names: translateToOthers(description),
  amount,
})
const CANCELLATION_FEES = [
  { minsDelayed: 2, amount: 0 },
  { minsDelayed: 5, amount: 30 },
  { minsDelayed: 10, amount: 60 },
]

/** Returns all vehicle types of the demo, with rates in Uruguayan pesos. */
const createAllVehicleTypes = (now: number): VehicleType[] => {
  const createdAt = now - 400 * DAY_MS
  return [
    {
      id: 'courier',
      ...named('Courier'),
      image: toImageUrl('courier'),
      base_fare: 55,
      rate_per_unit_distance: 16,
      rate_per_hour: 180,
      min_fare: 110,
      convenience_fees: 10,
      convenience_fee_type: 'percentage',
      ...informed('Motorbike, up to 12 kg'),
      createdAt,
      parcelTypes: [
        translated('Documents', 0),
        translated('Small box, up to 5 kg', 35),
        translated('Meal or groceries', 25),
        translated('Box, up to 12 kg', 60),
      ],
      options: [
        translated('Hand over at the door', 0),
        translated('Fragile, with care', 40),
        translated('Bring back a signed copy', 70),
      ],
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'economy',
      ...named('Economy'),
      image: toImageUrl('economy'),
      base_fare: 60,
      rate_per_unit_distance: 24,
      rate_per_hour: 240,
      min_fare: 130,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      ...informed('Four seats'),
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'premium',
      ...named('Premium'),
      image: toImageUrl('premium'),
      base_fare: 110,
      rate_per_unit_distance: 38,
      rate_per_hour: 420,
      min_fare: 240,
      convenience_fees: 15,
      convenience_fee_type: 'percentage',
      ...informed('Four seats, newer cars'),
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'van',
      ...named('Van'),
      image: toImageUrl('van'),
      base_fare: 150,
      rate_per_unit_distance: 42,
      rate_per_hour: 480,
      min_fare: 380,
      convenience_fees: 45,
      convenience_fee_type: 'flat',
      ...informed('Cargo van, up to 600 kg'),
      createdAt,
      parcelTypes: [
        translated('Furniture, one piece', 120),
        translated('Appliance', 150),
        translated('Pallet', 260),
        translated('Boxes, up to twenty', 180),
      ],
      options: [
        translated('Driver only', 0),
        translated('One helper', 250),
        translated('Two helpers and stairs', 480),
      ],
      cancelSlab: [
        { minsDelayed: 2, amount: 0 },
        { minsDelayed: 5, amount: 80 },
        { minsDelayed: 15, amount: 160 },
      ],
    },
    {
      id: 'xl',
      ...named('XL'),
      image: toImageUrl('xl'),
      base_fare: 90,
      rate_per_unit_distance: 31,
      rate_per_hour: 330,
      min_fare: 190,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      ...informed('Six seats'),
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
  ]
}

/**
 * Returns the vehicle types of the demo; a taxi company has none for parcels. `seed-driver` drives
 * the first one by key.
 */
export const createVehicleTypes = (
  now: number,
  category: DemoCategory = 'delivery',
): VehicleType[] =>
  createAllVehicleTypes(now).filter(
    ({ parcelTypes }) => category === 'delivery' || parcelTypes === undefined,
  )

/** Riders and drivers choose from the same five reasons, so each wording fits both. */
const REASONS = [
  'It is taking too long',
  'Plans have changed',
  'Wrong pickup or drop',
  'The other side does not answer',
  'Not everything is ready',
] as const satisfies CatalogText[]
export const CANCELLATION_REASONS: CancellationReason[] = REASONS.map((label, value) => ({
  label,
  names: translateToOthers(label),
  value,
}))

const createAllPromos = (now: number): Promo[] => [
  {
    id: 'welcome20',
    promo_name: 'WELCOME20',
    promo_description: '20 % off, up to $U 80',
    promo_discount_type: 'percentage',
    promo_discount_value: 20,
    max_promo_discount_value: 80,
    min_order: 150,
    promo_validity: now + 365 * DAY_MS,
    promo_usage_limit: 500,
    user_avail: 0,
    createdAt: now - 380 * DAY_MS,
  },
  {
    id: 'parcel50',
    promo_name: 'PARCEL50',
    promo_description: '$U 50 off a parcel',
    promo_discount_type: 'flat',
    promo_discount_value: 50,
    max_promo_discount_value: 50,
    min_order: 250,
    promo_validity: now + 180 * DAY_MS,
    promo_usage_limit: 200,
    user_avail: 0,
    createdAt: now - 200 * DAY_MS,
  },
  {
    id: 'winter10',
    promo_name: 'WINTER10',
    promo_description: '10 % off, up to $U 40; over',
    promo_discount_type: 'percentage',
    promo_discount_value: 10,
    max_promo_discount_value: 40,
    min_order: 100,
    promo_validity: now - 30 * DAY_MS,
    promo_usage_limit: 100,
    user_avail: 0,
    createdAt: now - 150 * DAY_MS,
  },
]

/** Returns the promos of the demo; a taxi company has none for parcels. */
export const createPromos = (now: number, category: DemoCategory): Promo[] =>
  createAllPromos(now).filter(({ id }) => category === 'delivery' || id !== 'parcel50')
