import type { CancellationReason, VehicleType, Promo, Settings } from '~/domain/entities'
import { createSettings } from '~/domain/defaultSettings'

const DAY_MS = 86_400_000

/** The demo city's settings: Montevideo, in the delivery category. */
export const DEMO_SETTINGS: Settings = {
  ...createSettings({
    country: 'Uruguay',
    restrictCountry: 'UY',
    symbol: '$U',
    code: 'UYU',
    appcat: 'delivery',
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
  walletMoneyField: '200,500,1000,2000',
  panic: '911',
  autoDispatch: false,
  // The product's default; the live city switches it on.
  requeueDeclined: false,
}

const toImageUrl = (name: string) => `/images/cars/${name}.svg`
const CANCELLATION_FEES = [
  { minsDelayed: 2, amount: 0 },
  { minsDelayed: 5, amount: 30 },
  { minsDelayed: 10, amount: 60 },
]

/**
 * Returns vehicle types with rates in Uruguayan pesos. `seed-driver` drives the first one by key.
 */
export const createVehicleTypes = (now: number): VehicleType[] => {
  const createdAt = now - 400 * DAY_MS
  return [
    {
      id: 'courier',
      name: 'Courier',
      image: toImageUrl('courier'),
      base_fare: 55,
      rate_per_unit_distance: 16,
      rate_per_hour: 180,
      min_fare: 110,
      convenience_fees: 10,
      convenience_fee_type: 'percentage',
      extra_info: 'Motorbike, up to 12 kg',
      createdAt,
      parcelTypes: [
        { description: 'Documents', amount: 0 },
        { description: 'Small box, up to 5 kg', amount: 35 },
        { description: 'Meal or groceries', amount: 25 },
        { description: 'Box, up to 12 kg', amount: 60 },
      ],
      options: [
        { description: 'Hand over at the door', amount: 0 },
        { description: 'Fragile, with care', amount: 40 },
        { description: 'Bring back a signed copy', amount: 70 },
      ],
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'economy',
      name: 'Economy',
      image: toImageUrl('economy'),
      base_fare: 60,
      rate_per_unit_distance: 24,
      rate_per_hour: 240,
      min_fare: 130,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      extra_info: 'Four seats',
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'premium',
      name: 'Premium',
      image: toImageUrl('premium'),
      base_fare: 110,
      rate_per_unit_distance: 38,
      rate_per_hour: 420,
      min_fare: 240,
      convenience_fees: 15,
      convenience_fee_type: 'percentage',
      extra_info: 'Four seats, newer cars',
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
    {
      id: 'van',
      name: 'Van',
      image: toImageUrl('van'),
      base_fare: 150,
      rate_per_unit_distance: 42,
      rate_per_hour: 480,
      min_fare: 380,
      convenience_fees: 45,
      convenience_fee_type: 'flat',
      extra_info: 'Cargo van, up to 600 kg',
      createdAt,
      parcelTypes: [
        { description: 'Furniture, one piece', amount: 120 },
        { description: 'Appliance', amount: 150 },
        { description: 'Pallet', amount: 260 },
        { description: 'Boxes, up to twenty', amount: 180 },
      ],
      options: [
        { description: 'Driver only', amount: 0 },
        { description: 'One helper', amount: 250 },
        { description: 'Two helpers and stairs', amount: 480 },
      ],
      cancelSlab: [
        { minsDelayed: 2, amount: 0 },
        { minsDelayed: 5, amount: 80 },
        { minsDelayed: 15, amount: 160 },
      ],
    },
    {
      id: 'xl',
      name: 'XL',
      image: toImageUrl('xl'),
      base_fare: 90,
      rate_per_unit_distance: 31,
      rate_per_hour: 330,
      min_fare: 190,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      extra_info: 'Six seats',
      createdAt,
      cancelSlab: CANCELLATION_FEES,
    },
  ]
}

/** Riders and drivers choose from the same five reasons, so each wording fits both. */
export const CANCELLATION_REASONS: CancellationReason[] = [
  'It is taking too long',
  'Plans have changed',
  'Wrong pickup or drop',
  'The other side does not answer',
  'The parcel or the vehicle is not ready',
].map((label, value) => ({ label, value }))

export const createPromos = (now: number): Promo[] => [
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
