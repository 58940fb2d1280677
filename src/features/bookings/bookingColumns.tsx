import { isPaidOut } from '~/domain/booking/payment/paidOut'
import type { TFunction } from 'i18next'
import type { INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { getTips } from '~/domain/booking/events/tip/tipLimits'
import { getCompensation } from '~/domain/booking/events/compensate/compensationLimits'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { Address } from '~/src/ui/format/address'
import { type Format } from '~/src/ui/format/format'
import { Distance } from '~/src/ui/format/values'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { BookingStatus } from './BookingStatus'
import { Instructions, RecipientPhone } from './HiddenDetails'
import { type BookingColumn, getBookingColumns } from './shownColumns'
import { TripCode } from './TripCode'
import type { Column } from '~/src/ui/table/tableProps'
import type { Booking, BookingWithContacts, PaymentMode } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

/** Exported rows include their contacts; rows on the screen load them. */
type Row = BookingWithContacts

interface ColumnContext {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
  texts: BookingTexts
}

/** Returns the texts of the office's lists on a booking in the user's language. */
export interface BookingTexts {
  getTypeName: (booking: Booking) => string
  getExtras: (booking: Booking) => { parcelType: string | undefined; option: string | undefined }
  getReason: (reason: string) => string
  /** Returns the name of a payment provider. */
  getProvider: (gateway: string) => string
}

/** Returns the party whose compensation the first column shows. Admins have a second one. */
const getCompensatedSide = (usertype: UserType) =>
  usertype === 'rider' || usertype === 'admin' ? 'rider' : 'driver'

type Amount = (b: Row) => number | undefined
const makeTextColumn = (
  id: string,
  title: string,
  value: (b: Row) => string | undefined,
): Column<Row> => ({
  id,
  title,
  sortValue: (b) => value(b) ?? '',
  cell: (b) => value(b) ?? null,
})
/** A column whose text is stored apart from the booking, because fewer people may read it. */
const makeInstructionsColumn = (
  field: (typeof INSTRUCTION_FIELDS)[number],
  t: TFunction,
): Column<Row> => ({
  id: field,
  title: t(field),
  cell: (b) => <Instructions booking={b} field={field} />,
  exportValue: (b) => b[field] ?? '',
})
/** Exports and tooltips have the whole address. */
const makeAddressColumn = (id: string, title: string, value: (b: Row) => string): Column<Row> => ({
  ...makeTextColumn(id, title, value),
  cell: (b) => <Address value={value(b)} />,
  isLong: true,
  breaksWords: true,
  minWidth: '6rem',
})
/** Ids, phones and plates are left-to-right in every language. */
const makeCodeColumn = (...[id, title, value]: Parameters<typeof makeTextColumn>): Column<Row> => ({
  ...makeTextColumn(id, title, value),
  cell: (b) => <bdi dir="ltr">{value(b)}</bdi>,
  isOneLine: true,
})
const makeImageColumn = (
  id: string,
  title: string,
  url: (b: Row) => string | undefined,
): Column<Row> => ({
  id,
  title,
  exportValue: (b) => url(b) ?? '',
  cell: (b) => {
    const source = url(b)
    return source ? (
      <a href={source} target="_blank" rel="noreferrer">
        <img src={source} alt={title} width="56" height="40" loading="lazy" />
      </a>
    ) : null
  },
})

type ColumnGroup = Partial<Record<BookingColumn, Column<Row>>>

const makeAmountColumn = (
  id: string,
  title: string,
  amount: Amount,
  { settings }: ColumnContext,
): Column<Row> => createMoneyColumn({ id, title, amount, currency: settings?.code })

/** Returns the columns of what the rider booked, for whom, and with whom. */
const makeBookedColumns = ({ t, texts }: ColumnContext) =>
  ({
    reference: makeCodeColumn('reference', t('booking_reference'), (b) => b.reference),
    id: makeCodeColumn('booking_id', t('booking_id'), (b) => b.booking_id),
    bookingDate: createTimeColumn({
      id: 'date',
      title: t('booking_date'),
      at: (b) => b.bookingDate,
    }),
    tripdate: createTimeColumn({ id: 'tripdate', title: t('trip_date'), at: (b) => b.tripdate }),
    status: {
      id: 'status',
      title: t('status'),
      sortValue: (b) => t(`status_${b.status}`),
      cell: (b) => <BookingStatus status={b.status} />,
      minWidth: '8rem',
    },
    carType: makeTextColumn('carType', t('car_type'), texts.getTypeName),
    customer_name: makeTextColumn('customer', t('customer'), (b) => b.customer_name),
    pickupAddress: makeAddressColumn('pickup', t('pickup'), (b) => b.pickupAddress),
    dropAddress: makeAddressColumn('drop', t('drop'), (b) => b.dropAddress),
    driver_name: makeTextColumn('driver', t('driver'), (b) => b.driver_name),
  }) satisfies ColumnGroup

/** Returns the columns of a parcel, and of a cancellation. */
const makeParcelColumns = (context: ColumnContext) => {
  const { t, texts } = context
  return {
    deliveryPerson: makeTextColumn('deliveryPerson', t('deliveryPerson'), (b) => b.deliveryPerson),
    deliveryPersonPhone: {
      id: 'deliveryPersonPhone',
      title: t('deliveryPersonPhone'),
      cell: (b) => <RecipientPhone booking={b} />,
      exportValue: (b) => b.deliveryPersonPhone ?? '',
    },
    pickUpInstructions: makeInstructionsColumn('pickUpInstructions', t),
    deliveryInstructions: makeInstructionsColumn('deliveryInstructions', t),
    parcelTypeSelected: makeTextColumn(
      'parcelType',
      t('parcel_type'),
      (b) => texts.getExtras(b).parcelType,
    ),
    optionSelected: makeTextColumn('option', t('option'), (b) => texts.getExtras(b).option),
    pickup_image: makeImageColumn('pickup_image', t('pickup_image_column'), (b) => b.pickup_image),
    deliver_image: makeImageColumn(
      'deliver_image',
      t('deliver_image_column'),
      (b) => b.deliver_image,
    ),
    reason: makeTextColumn(
      'reason',
      t('cancellation_reason'),
      (b) => b.reason && texts.getReason(b.reason),
    ),
    cancellationFee: makeAmountColumn(
      'cancellationFee',
      t('cancellation_fee'),
      (b) => b.cancellationFee,
      context,
    ),
  } satisfies ColumnGroup
}

/** Returns the columns of the driven trip. */
const makeTripColumns = (context: ColumnContext) => {
  const { t, format, settings } = context
  return {
    otp: { id: 'otp', title: t('trip_code'), cell: (b) => <TripCode booking={b} /> },
    trip_cost: makeAmountColumn('trip_cost', t('trip_cost'), (b) => b.trip_cost, context),
    trip_start_time: {
      ...makeTextColumn('trip_start_time', t('start_time'), (b) => b.trip_start_time),
      exportTime: (b) => b.startTime,
    },
    trip_end_time: {
      ...makeTextColumn('trip_end_time', t('end_time'), (b) => b.trip_end_time),
      exportTime: (b) => b.endTime,
    },
    // Reports count a booking on this day, so an export can be compared with a month.
    paid_at: {
      ...createTimeColumn<Row>({ id: 'paid_at', title: t('paid_at'), at: (b) => b.paid_at }),
      isExtra: true,
    },
    total_trip_time: {
      id: 'total_trip_time',
      title: t('total_time'),
      unit: 's',
      sortValue: (b) => b.total_trip_time ?? 0,
      cell: (b) => (b.total_trip_time === undefined ? null : format.duration(b.total_trip_time)),
    },
    distance: {
      id: 'distance',
      title: t('distance'),
      unit: settings?.convert_to_mile ? 'mi' : 'km',
      align: 'end',
      sortValue: (b) => b.distance,
      cell: (b) => <Distance value={b.distance} />,
    },
    vehicle_number: makeCodeColumn('vehicle_number', t('vehicle_no'), (b) => b.vehicle_number),
  } satisfies ColumnGroup
}

/** Returns the columns of who gets and who paid which part of the fare. */
const makePaymentColumns = (context: ColumnContext) => {
  const { t, usertype, settings, texts } = context
  const { decimal = 2 } = settings ?? {}
  const makeMoneyColumn = (id: string, title: string, amount: Amount) =>
    makeAmountColumn(id, title, amount, context)
  /** A part of the fare, once it is paid: an estimate or a canceled booking has moved nothing. */
  const makePaidPart = (id: string, title: string, amount: Amount) =>
    makeMoneyColumn(id, title, (b) => (isPaidOut(b) ? amount(b) : undefined))
  /** The money that moved by a method, and not the plan. */
  const makePaidColumn = (method: PaymentMode) =>
    makeMoneyColumn(method, t(`${method}_amount`), (b) => getNetPayment(b, decimal, method))
  const makeCompensationColumn = (id: string, title: string, side: 'rider' | 'driver') =>
    makeMoneyColumn(id, title, (b) =>
      b.adjustments === undefined ? undefined : getCompensation(b, { decimal }, side),
    )
  return {
    driver_share: makePaidPart('driver_share', t('driver_share'), (b) => b.driver_share),
    convenience_fees: makePaidPart(
      'convenience_fees',
      t('convenience_fee'),
      (b) => b.convenience_fees,
    ),
    discount_amount: makePaidPart(
      'discount',
      t('discount'),
      (b) => b.discount_amount ?? b.discount,
    ),
    customer_paid: makeMoneyColumn('customer_paid', t('customer_paid'), (b) =>
      getNetPayment(b, decimal),
    ),
    compensation: makeCompensationColumn(
      'compensation',
      t(usertype === 'admin' ? 'compensation_rider' : 'compensation'),
      getCompensatedSide(usertype),
    ),
    driverCompensation: makeCompensationColumn(
      'driverCompensation',
      usertype === 'admin' ? t('compensation_driver') : '',
      'driver',
    ),
    tips: makeMoneyColumn('tips', t('tips'), (b) => getTips(b, { decimal }) || undefined),
    payment_mode: makeTextColumn(
      'payment_mode',
      t('payment_mode'),
      (b) => b.payment_mode && t(`payment_${b.payment_mode}`),
    ),
    gateway: makeTextColumn(
      'gateway',
      t('gateway'),
      (b) => b.gateway && texts.getProvider(b.gateway),
    ),
    cashPaymentAmount: makePaidColumn('cash'),
    cardPaymentAmount: makePaidColumn('card'),
    usedWalletMoney: makePaidColumn('wallet'),
  } satisfies ColumnGroup
}

/**
 * Returns the columns of the bookings table that the viewer may see, with the status near the
 * start.
 */
export const makeBookingColumns = (context: ColumnContext): Column<Row>[] => {
  const { usertype, settings } = context
  const columns: Record<BookingColumn, Column<Row>> = {
    ...makeBookedColumns(context),
    ...makeParcelColumns(context),
    ...makeTripColumns(context),
    ...makePaymentColumns(context),
  }
  const shownColumns = getBookingColumns(usertype, { appcat: settings?.appcat ?? 'taxi' })
  return (Object.keys(columns) as BookingColumn[])
    .filter((field) => shownColumns.includes(field))
    .map((field) => columns[field])
}
