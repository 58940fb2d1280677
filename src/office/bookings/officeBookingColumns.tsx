import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookingTexts, makeBookingColumns } from '~/src/features/bookings/bookingColumns'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { RecipientPhone } from '~/src/features/bookings/HiddenDetails'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { type Format, useFormat } from '~/src/ui/format/format'
import { formatContact } from '../contactFormat'
import { useOfficeSession } from '../useOfficeSession'
import { AgeText, DriverText, PriceText } from './row/BookingFacts'
import css from './row/bookingRow.module.css'
import { RouteText } from './row/RouteText'
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
const PHONE = ['customer_contact'] as const
/** Shows the customer's name and phone. `formatPhone` formats it. */
const CustomerCell = ({
  booking,
  formatPhone,
}: {
  booking: Booking
  formatPhone: (phone: string) => string
}) => {
  const { customer_contact: phone } = useBookingContacts(booking, PHONE)
  const text = formatPhone(phone ?? '')
  return (
    <>
      <span>{booking.customer_name}</span>
      {text && (
        <small className={css.beneath}>
          <bdi dir="ltr">{text}</bdi>
        </small>
      )}
    </>
  )
}

interface Viewer {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
  texts: BookingTexts
}
type BookingTableColumn = Column<BookingWithContacts>

/** Returns what the cells of a row show besides the value of their column. */
const createCells = ({
  t,
  settings,
  texts,
}: Viewer): Record<string, Partial<BookingTableColumn>> => {
  const formatPhone = (phone: string) => formatContact(phone, settings, t)
  return {
    reference: { beneath: (b) => texts.getTypeName(b) },
    deliveryPersonPhone: { cell: (b) => <RecipientPhone booking={b} shown={formatPhone} /> },
    customer: { cell: (b) => <CustomerCell booking={b} formatPhone={formatPhone} /> },
    driver: { cell: (b) => <DriverText booking={b} /> },
    trip_cost: { cell: (b) => <PriceText booking={b} /> },
    date: { cell: (b) => <AgeText booking={b} /> },
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
    minWidth: '12rem',
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
