import type { TFunction } from 'i18next'
import { type BookingColumn, bookingColumnsFor } from '~/domain/bookingColumns'
import type { Booking, Settings, UserType } from '~/domain/entities'
import { Distance, type Format, Money } from '~/src/ui/format'
import { Ago } from '~/src/ui/office/Ago'
import type { Column } from '~/src/ui/office/DataTable'
import { BookingStatus } from './BookingStatus'
import { TripCode } from './TripCode'

interface Viewer {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
}

const money = (
  id: string,
  title: string,
  amount: (b: Booking) => number | undefined,
): Column<Booking> => ({
  id,
  title,
  align: 'end',
  sort: (b) => amount(b) ?? 0,
  cell: (b) => {
    const value = amount(b)
    return value === undefined ? null : <Money amount={value} />
  },
})
const text = (
  id: string,
  title: string,
  value: (b: Booking) => string | undefined,
): Column<Booking> => ({
  id,
  title,
  sort: (b) => value(b) ?? '',
  cell: (b) => value(b) ?? null,
})
/** Ids, phones and plates are written from the left in every language. */
const code = (...[id, title, value]: Parameters<typeof text>): Column<Booking> => ({
  ...text(id, title, value),
  cell: (b) => <bdi dir="ltr">{value(b)}</bdi>,
})
const image = (
  id: string,
  title: string,
  url: (b: Booking) => string | undefined,
): Column<Booking> => ({
  id,
  title,
  cell: (b) => {
    const source = url(b)
    return source ? (
      <a href={source} target="_blank" rel="noreferrer">
        <img src={source} alt={title} width="56" height="40" loading="lazy" />
      </a>
    ) : null
  },
})

/** The specification's bookings table (section 2), as whoever looks at it may see it; what a booking is at comes early. */
export const bookingColumns = ({ t, format, usertype, settings }: Viewer): Column<Booking>[] => {
  const columns: Record<BookingColumn, Column<Booking>> = {
    id: code('booking_id', t('booking_id'), (b) => b.booking_id),
    bookingDate: {
      id: 'date',
      title: t('booking_date'),
      sort: (b) => b.bookingDate,
      cell: (b) => <Ago at={b.bookingDate} />,
    },
    status: {
      id: 'status',
      title: t('status'),
      sort: (b) => t(`status_${b.status}`),
      cell: (b) => <BookingStatus status={b.status} />,
    },
    carType: text('carType', t('car_type'), (b) => b.carType),
    customer_name: text('customer', t('customer'), (b) => b.customer_name),
    pickupAddress: text('pickup', t('pickup'), (b) => b.pickupAddress),
    dropAddress: text('drop', t('drop'), (b) => b.dropAddress),
    driver_name: text('driver', t('driver'), (b) => b.driver_name),
    deliveryPerson: text('deliveryPerson', t('deliveryPerson'), (b) => b.deliveryPerson),
    deliveryPersonPhone: code(
      'deliveryPersonPhone',
      t('deliveryPersonPhone'),
      (b) => b.deliveryPersonPhone,
    ),
    pickUpInstructions: text(
      'pickUpInstructions',
      t('pickUpInstructions'),
      (b) => b.pickUpInstructions,
    ),
    deliveryInstructions: text(
      'deliveryInstructions',
      t('deliveryInstructions'),
      (b) => b.deliveryInstructions,
    ),
    parcelTypeSelected: text(
      'parcelType',
      t('parcel_type'),
      (b) => b.parcelTypeSelected?.description,
    ),
    optionSelected: text('option', t('option'), (b) => b.optionSelected?.description),
    pickup_image: image('pickup_image', t('pickup_image'), (b) => b.pickup_image),
    deliver_image: image('deliver_image', t('deliver_image'), (b) => b.deliver_image),
    reason: text('reason', t('cancellation_reason'), (b) => b.reason),
    cancellationFee: money('cancellationFee', t('cancellation_fee'), (b) => b.cancellationFee),
    otp: { id: 'otp', title: t('trip_code'), cell: (b) => <TripCode booking={b} /> },
    trip_cost: money('trip_cost', t('trip_cost'), (b) => b.trip_cost),
    trip_start_time: text('trip_start_time', t('start_time'), (b) => b.trip_start_time),
    trip_end_time: text('trip_end_time', t('end_time'), (b) => b.trip_end_time),
    total_trip_time: {
      id: 'total_trip_time',
      title: t('total_time'),
      sort: (b) => b.total_trip_time ?? 0,
      cell: (b) => (b.total_trip_time === undefined ? null : format.duration(b.total_trip_time)),
    },
    distance: {
      id: 'distance',
      title: t('distance'),
      align: 'end',
      sort: (b) => b.distance,
      cell: (b) => <Distance value={b.distance} />,
    },
    vehicle_number: code('vehicle_number', t('vehicle_no'), (b) => b.vehicle_number),
    driver_share: money('driver_share', t('driver_share'), (b) => b.driver_share),
    convenience_fees: money('convenience_fees', t('convenience_fee'), (b) => b.convenience_fees),
    discount_amount: money('discount', t('discount'), (b) => b.discount_amount ?? b.discount),
    customer_paid: money('customer_paid', t('customer_paid'), (b) => b.customer_paid),
    payment_mode: text(
      'payment_mode',
      t('payment_mode'),
      (b) => b.payment_mode && t(`payment_${b.payment_mode}`),
    ),
    gateway: text('gateway', t('gateway'), (b) => b.gateway),
    cashPaymentAmount: money('cash', t('cash_amount'), (b) => b.cashPaymentAmount),
    cardPaymentAmount: money('card', t('card_amount'), (b) => b.cardPaymentAmount),
    usedWalletMoney: money('wallet', t('wallet_amount'), (b) => b.usedWalletMoney),
  }
  const shown = bookingColumnsFor(usertype, { appcat: settings?.appcat ?? 'taxi' })
  return (Object.keys(columns) as BookingColumn[])
    .filter((field) => shown.includes(field))
    .map((field) => columns[field])
}
