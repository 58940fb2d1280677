import type { BookingWithContacts } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

type ColumnRule = 'always' | 'delivery' | 'not_rider' | 'knows_code' | 'admin'

/** The columns of the bookings table in order, and when each is shown. */
export const BOOKING_COLUMNS = {
  reference: 'always',
  id: 'always',
  bookingDate: 'always',
  tripdate: 'always',
  carType: 'always',
  customer_name: 'always',
  pickupAddress: 'always',
  dropAddress: 'always',
  driver_name: 'always',
  deliveryPerson: 'delivery',
  deliveryPersonPhone: 'delivery',
  pickUpInstructions: 'delivery',
  deliveryInstructions: 'delivery',
  parcelTypeSelected: 'delivery',
  optionSelected: 'delivery',
  status: 'always',
  pickup_image: 'delivery',
  deliver_image: 'delivery',
  reason: 'always',
  cancellationFee: 'always',
  otp: 'knows_code',
  trip_cost: 'always',
  trip_start_time: 'always',
  trip_end_time: 'always',
  paid_at: 'not_rider',
  total_trip_time: 'always',
  distance: 'always',
  vehicle_number: 'always',
  driver_share: 'not_rider',
  convenience_fees: 'not_rider',
  discount_amount: 'always',
  customer_paid: 'always',
  compensation: 'always',
  driverCompensation: 'admin',
  tips: 'always',
  payment_mode: 'always',
  gateway: 'always',
  cashPaymentAmount: 'always',
  cardPaymentAmount: 'always',
  usedWalletMoney: 'always',
} as const satisfies Partial<
  Record<keyof BookingWithContacts | 'compensation' | 'driverCompensation' | 'tips', ColumnRule>
>
export type BookingColumn = keyof typeof BOOKING_COLUMNS

const isShown = (
  rule: ColumnRule,
  usertype: UserType,
  { appcat }: Pick<Settings, 'appcat'>,
): boolean => {
  switch (rule) {
    case 'always':
      return true
    case 'delivery':
      return appcat === 'delivery'
    case 'not_rider':
      return usertype !== 'rider'
    // A driver who can read the code would not need the rider.
    case 'knows_code':
      return usertype === 'rider' || usertype === 'admin'
    case 'admin':
      return usertype === 'admin'
  }
}

/** Returns the columns of the bookings table that this user type sees, in order. */
export const getBookingColumns = (
  usertype: UserType,
  settings: Pick<Settings, 'appcat'>,
): BookingColumn[] =>
  (Object.keys(BOOKING_COLUMNS) as BookingColumn[]).filter((column) =>
    isShown(BOOKING_COLUMNS[column], usertype, settings),
  )
