import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { type BookingTexts, makeBookingColumns } from '~/src/features/bookings/bookingColumns'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { RecipientPhone } from '~/src/features/bookings/HiddenDetails'
import { liveUsers } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { type Format, useFormat } from '~/src/ui/format/format'
import { formatContact } from '../contactFormat'
import { useOfficeSession } from '../useOfficeSession'
import css from './bookings.module.css'
import type { Column } from '~/src/ui/table/tableProps'
import type { Booking, BookingWithContacts } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { UserType } from '~/domain/access/types'

const MAIN_COLUMNS = new Set(['reference', 'date', 'status', 'pickup', 'driver'])
/** The columns that a dispatcher needs, shown by default; users add the others. */
const AT_FIRST = new Set([
  'reference',
  'date',
  'tripdate',
  'status',
  'customer',
  'pickup',
  'drop',
  'driver',
])
/** Maximum number of requested drivers named in a row. */
const ASKED_SHOWN = 2

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

/** Shows the driver and the vehicle's plate, or the requested drivers while there is none. */
const DriverCell = ({
  booking: { driver_name, vehicle_number, requestedDrivers },
}: {
  booking: Booking
}) => {
  const { t } = useTranslation()
  const requested = Object.keys(requestedDrivers ?? {})
  const { users: drivers } = useLive(liveUsers, { ids: requested.slice(0, ASKED_SHOWN) })
  if (driver_name)
    return (
      <>
        <span>{driver_name}</span>
        {vehicle_number && (
          <small className={css.beneath}>
            <bdi dir="ltr">{vehicle_number}</bdi>
          </small>
        )}
      </>
    )
  if (requested.length === 0) return null
  const names = drivers.map(formatFullName).join(', ')
  const others = requested.length - drivers.length
  return t('drivers_asked', { names: others > 0 ? `${names} +${others}` : names })
}

const createColumns = (viewer: {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
  texts: BookingTexts
}): Column<BookingWithContacts>[] => {
  const { t, settings } = viewer
  return makeBookingColumns(viewer).map((column) => {
    const officeColumn: Column<BookingWithContacts> = {
      ...column,
      isOnCard: MAIN_COLUMNS.has(column.id),
    }
    if (column.id === 'deliveryPersonPhone')
      officeColumn.cell = (b) => (
        <RecipientPhone booking={b} shown={(phone) => formatContact(phone, settings, t)} />
      )
    if (column.id === 'customer')
      officeColumn.cell = (b) => (
        <CustomerCell booking={b} formatPhone={(phone) => formatContact(phone, settings, t)} />
      )
    if (column.id === 'driver') officeColumn.cell = (b) => <DriverCell booking={b} />
    return officeColumn
  })
}

/** Returns the columns of the list of bookings. */
export const useOfficeBookingColumns = (): Column<BookingWithContacts>[] => {
  const { t } = useTranslation()
  const format = useFormat()
  const { profile, settings } = useOfficeSession()
  const usertype = profile?.usertype ?? 'fleetadmin'
  const texts = useBookingTexts()
  return useMemo(
    () =>
      createColumns({ t, format, usertype, settings, texts }).map((column) =>
        AT_FIRST.has(column.id) ? column : { ...column, isExtra: true as const },
      ),
    [t, format, usertype, settings, texts],
  )
}
