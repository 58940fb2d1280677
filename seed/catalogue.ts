import type { CancelReason, CarType, Promo, Settings } from '~/domain/entities'
import { newSettings } from '~/domain/settings'

const DAY = 86_400_000

/** The demo city's settings (design: Montevideo, in the delivery category). */
export const SETTINGS: Settings = {
  ...newSettings({
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
}

const image = (name: string) => `/images/cars/${name}.svg`
const SLABS = [
  { minsDelayed: 2, amount: 0 },
  { minsDelayed: 5, amount: 30 },
  { minsDelayed: 10, amount: 60 },
]

/** Rates in Uruguayan pesos; the first by key is the one `seed-driver` drives. */
export const carTypes = (now: number): CarType[] => {
  const createdAt = now - 400 * DAY
  return [
    {
      id: 'courier',
      name: 'Courier',
      image: image('courier'),
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
      cancelSlab: SLABS,
    },
    {
      id: 'economy',
      name: 'Economy',
      image: image('economy'),
      base_fare: 60,
      rate_per_unit_distance: 24,
      rate_per_hour: 240,
      min_fare: 130,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      extra_info: 'Four seats',
      createdAt,
      cancelSlab: SLABS,
    },
    {
      id: 'premium',
      name: 'Premium',
      image: image('premium'),
      base_fare: 110,
      rate_per_unit_distance: 38,
      rate_per_hour: 420,
      min_fare: 240,
      convenience_fees: 15,
      convenience_fee_type: 'percentage',
      extra_info: 'Four seats, newer cars',
      createdAt,
      cancelSlab: SLABS,
    },
    {
      id: 'van',
      name: 'Van',
      image: image('van'),
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
      image: image('xl'),
      base_fare: 90,
      rate_per_unit_distance: 31,
      rate_per_hour: 330,
      min_fare: 190,
      convenience_fees: 12,
      convenience_fee_type: 'percentage',
      extra_info: 'Six seats',
      createdAt,
      cancelSlab: SLABS,
    },
  ]
}

/** Riders and drivers choose from the same five, so each is worded for either. */
export const CANCEL_REASONS: CancelReason[] = [
  'It is taking too long',
  'Plans have changed',
  'Wrong pickup or drop',
  'The other side does not answer',
  'The parcel or the vehicle is not ready',
].map((label, value) => ({ label, value }))

export const promos = (now: number): Promo[] => [
  {
    id: 'welcome20',
    promo_name: 'WELCOME20',
    promo_description: '20 % off, up to $U 80',
    promo_discount_type: 'percentage',
    promo_discount_value: 20,
    max_promo_discount_value: 80,
    min_order: 150,
    promo_validity: now + 365 * DAY,
    promo_usage_limit: 500,
    user_avail: 0,
    createdAt: now - 380 * DAY,
  },
  {
    id: 'parcel50',
    promo_name: 'PARCEL50',
    promo_description: '$U 50 off a parcel',
    promo_discount_type: 'flat',
    promo_discount_value: 50,
    max_promo_discount_value: 50,
    min_order: 250,
    promo_validity: now + 180 * DAY,
    promo_usage_limit: 200,
    user_avail: 0,
    createdAt: now - 200 * DAY,
  },
  {
    id: 'winter10',
    promo_name: 'WINTER10',
    promo_description: '10 % off, up to $U 40; over',
    promo_discount_type: 'percentage',
    promo_discount_value: 10,
    max_promo_discount_value: 40,
    min_order: 100,
    promo_validity: now - 30 * DAY,
    promo_usage_limit: 100,
    user_avail: 0,
    createdAt: now - 150 * DAY,
  },
]
