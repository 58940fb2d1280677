import type { World } from './change'
import type { BookingEvent } from './transitions'

const NEEDS = {
  create: ['carType', 'customer', 'route', 'driverNearby', 'otp'],
  pay: ['customer', 'driver', 'referrer', 'promo', 'promoUsedBefore'],
  dispatch: [],
  assign: ['driver'],
  accept: ['driver'],
  // The last one's decline ends the booking: prepaid money and promo go back.
  decline: ['customer', 'promo'],
  arrive: [],
  start: ['driver', 'otp', 'otpAttempts'],
  reach: ['customer', 'carType', 'tracking', 'dropAddress'],
  finish: ['customer', 'driver', 'referrer'],
  collect: ['customer', 'driver', 'referrer'],
  rate: ['driver'],
  cancel: ['customer', 'driver', 'carType', 'promo'],
  expire: ['customer', 'promo'],
} as const satisfies Record<BookingEvent, readonly (keyof World)[]>

/**
 * The parts of the world an event asks for, beside the settings that all do. `promo` is the one asked for in `pay` and the
 * booking's own (`promo_details.id`) otherwise; `driver` is the acting one for accept, the chosen one for assign, else the booking's.
 */
export const needs = (event: BookingEvent): readonly (keyof World)[] => [
  'settings',
  ...NEEDS[event],
]

/** A world in which nothing is known: the caller fills in what `needs` asks for. */
export const emptyWorld = (settings: World['settings']): World => ({
  settings,
  carType: null,
  customer: null,
  referrer: null,
  driver: null,
  route: null,
  driverNearby: false,
  otp: null,
  otpAttempts: null,
  promo: null,
  promoUsedBefore: false,
  tracking: [],
  dropAddress: null,
})
