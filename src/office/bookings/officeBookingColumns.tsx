import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookingTexts, makeBookingColumns } from '~/src/features/bookings/bookingColumns'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { RecipientPhone } from '~/src/features/bookings/HiddenDetails'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { type Format, useFormat } from '~/src/ui/format/format'
import { formatContact } from '../contactFormat'
import css from './row/bookingRow.module.css'
import { useOfficeSession } from '../useOfficeSession'
import { DriverNote, DriverText, PickupTime } from './row/BookingFacts'
import { RouteText } from './row/RouteText'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import type { Column } from '~/src/ui/table/tableProps'
import type { Booking, BookingWithContacts } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

const MAIN_COLUMNS = new Set(['reference', 'date', 'status', 'route', 'driver'])
/** The columns that a dispatcher needs, shown by default; users add the others. */
const AT_FIRST = new Set([
  'reference',
  'date',
  'status',
  'customer',
  'route',
  'driver',
  'trip_cost',
])
/** Holds most names on one line, so that a dense row stays two lines high. */
const NAME_WIDTH = 'clamp(8.25rem, 9.7vw, 8.75rem)'
const PHONE = ['customer_contact'] as const
/** Shows the customer's phone. `formatPhone` formats it. */
const CustomerPhone = ({
  booking,
  formatPhone,
}: {
  booking: Booking
  formatPhone: (phone: string) => string
}) => {
  const { customer_contact: phone } = useBookingContacts(booking, PHONE)
  const text = formatPhone(phone ?? '')
  return text ? <bdi dir="ltr">{text}</bdi> : null
}

interface Viewer {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
  texts: BookingTexts
}
type BookingTableColumn = Column<BookingWithContacts>

/**
 * Returns the text below a price: the mode of payment, or what a canceled or unpaid booking was
 * charged. On the way, the mode is how the customer will pay.
 */
const describePayment = (booking: Booking, { t, format, settings }: Viewer) => {
  const { status, payment_mode } = booking
  const isCanceled = status === 'CANCELLED'
  if (isCanceled || status === 'PENDING' || status === 'PAYMENT_PENDING') {
    const amount = getNetPayment(booking, settings?.decimal ?? 2)
    if (amount === 0) return t('booking_not_paid')
    if (isCanceled) return t('booking_charged', { amount: format.money(amount) })
  }
  return payment_mode && t(`payment_${payment_mode}`)
}

/** Returns what the cells of a row show besides the value of their column. */
const createCells = (viewer: Viewer): Record<string, Partial<BookingTableColumn>> => {
  const { t, settings, texts } = viewer
  const formatPhone = (phone: string) => formatContact(phone, settings, t)
  return {
    reference: {
      beneath: (b) => <span className={css.typeName}>{texts.getTypeName(b)}</span>,
      isName: true,
    },
    date: {
      cell: (b) => <RelativeTime at={b.bookingDate} />,
      beneath: (b) => <PickupTime booking={b} />,
      minWidth: '7.25rem',
    },
    // On one line where there is room; two lines still fit in a dense row.
    status: { isName: true, minWidth: 'clamp(8.5rem, 12vw, 11rem)' },
    customer: {
      beneath: (b) => <CustomerPhone booking={b} formatPhone={formatPhone} />,
      minWidth: NAME_WIDTH,
    },
    driver: {
      cell: (b) => <DriverText booking={b} />,
      beneath: (b) => <DriverNote booking={b} />,
      minWidth: NAME_WIDTH,
    },
    deliveryPersonPhone: { cell: (b) => <RecipientPhone booking={b} shown={formatPhone} /> },
    trip_cost: { beneath: (b) => describePayment(b, viewer) },
  }
}

/** Returns the columns of the table. The route has no values to export, unlike its two places. */
const createColumns = (viewer: Viewer): BookingTableColumn[] => {
  const cells = createCells(viewer)
  const route: BookingTableColumn = {
    id: 'route',
    title: viewer.t('trip_route'),
    cell: (b) => <RouteText booking={b} />,
    isFlexible: true,
    minWidth: '9.5rem',
  }
  return makeBookingColumns(viewer)
    .flatMap((column) => (column.id === 'pickup' ? [route, column] : [column]))
    .map((column) => ({
      ...column,
      ...cells[column.id],
      isOnCard: MAIN_COLUMNS.has(column.id),
      ...(!AT_FIRST.has(column.id) && { isExtra: true as const }),
    }))
}

/** Returns the columns of the list of bookings. */
export const useOfficeBookingColumns = (): BookingTableColumn[] => {
  const { t } = useTranslation()
  const format = useFormat()
  const { profile, settings } = useOfficeSession()
  const usertype = profile?.usertype ?? 'fleetadmin'
  const texts = useBookingTexts()
  return useMemo(
    () => createColumns({ t, format, usertype, settings, texts }),
    [t, format, usertype, settings, texts],
  )
}
