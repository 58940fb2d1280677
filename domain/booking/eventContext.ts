import type { TransitionArgs } from './changeDraft'
import type { ContextPart, EventContext } from './eventTypes'
import type { BookingEvent } from './transitions'

const CONTEXT_BY_EVENT = {
  create: [
    'carType',
    'customer',
    'openBookings',
    'freeActions',
    'debtLimit',
    'recurring',
    'route',
    'misplacedAddress',
    'isDriverNearby',
    'otp',
    'reference',
  ],
  pay: ['customer', 'driver', 'referrer', 'driverReferrer', 'promo', 'isPromoUsed'],
  amend: [
    'carType',
    'customer',
    'promo',
    'route',
    'misplacedAddress',
    'isDriverNearby',
    'roadSoFar',
    'amendmentQuote',
    'tracking',
    'roadResults',
    'driver',
    'cardPayments',
    'contacts',
    'offers',
    'next',
    'freeActions',
    'amendmentNotice',
    'sharedRecipientLink',
  ],
  dispatch: ['notFree', 'offers'],
  assign: ['driver', 'openRequests', 'offers'],
  accept: ['driver', 'openRequests', 'offers', 'followed'],
  // When the last driver declines, the booking ends, and prepaid money and promo are returned.
  decline: ['customer', 'promo', 'offers'],
  withdraw: ['offers'],
  release: ['driver', 'nextDriver', 'openRequests', 'offers', 'otpAttempts', 'followed'],
  arrive: [],
  start: ['driver', 'otp', 'otpAttempts'],
  arrive_stop: [],
  leave_stop: [],
  skip_stop: [],
  reach: ['customer', 'carType', 'tracking', 'dropAddress', 'roadResults', 'next'],
  finish: ['customer', 'driver', 'referrer', 'driverReferrer', 'next'],
  collect: ['customer', 'driver', 'referrer', 'driverReferrer'],
  rate: ['customer', 'driver'],
  refund: [],
  reinstate: [],
  cancel: ['customer', 'driver', 'carType', 'promo', 'offers', 'followed', 'freeActions'],
  expire: ['customer', 'promo', 'offers'],
  review: ['driver', 'carType'],
  compensate: ['customer', 'driver', 'cardPayments'],
  tip: ['customer', 'driver'],
} as const satisfies Record<BookingEvent, readonly ContextPart[]>

/** The input of an event's effects, with the parts of the context that it loads. */
export type EventArgs<Event extends BookingEvent> = TransitionArgs<
  (typeof CONTEXT_BY_EVENT)[Event][number]
>

/**
 * Returns the parts of the context that an event needs besides the settings. `promo` is the
 * requested one in `pay`, otherwise the booking's (`promo_details.id`). `driver` is the actor for
 * accept, the chosen driver for assign, otherwise the booking's.
 */
export const requiredContext = (event: BookingEvent): readonly (keyof EventContext)[] => [
  'settings',
  ...CONTEXT_BY_EVENT[event],
]

/** Returns a context without data. The caller fills in the parts that `requiredContext` lists. */
export const emptyContext = (settings: EventContext['settings']): EventContext => ({
  settings,
  carType: null,
  customer: null,
  referrer: null,
  driver: null,
  driverReferrer: null,
  nextDriver: null,
  openRequests: [],
  notFree: [],
  offers: { open: {}, next: 0 },
  route: null,
  misplacedAddress: null,
  isDriverNearby: false,
  roadSoFar: null,
  amendmentQuote: null,
  cardPayments: [],
  contacts: null,
  followed: null,
  next: null,
  reference: null,
  recurring: null,
  openBookings: null,
  freeActions: null,
  debtLimit: null,
  amendmentNotice: null,
  sharedRecipientLink: null,
  otp: null,
  otpAttempts: null,
  promo: null,
  isPromoUsed: false,
  tracking: [],
  dropAddress: null,
  roadResults: null,
})
