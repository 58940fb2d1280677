import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type BookingFilter,
  isCoveredByIndex,
  isMatch,
} from '~/domain/booking/search/bookingFilter'
import { bookingText } from '~/domain/booking/search/bookingSearch'
import { bookings as liveBookings, getCursor, isByDate } from '~/src/features/bookings/bookings'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { type BookingTexts, makeBookingColumns } from '~/src/features/bookings/bookingColumns'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { fetchBookingsToExport } from '~/src/features/bookings/bookingsExport'
import { RecipientPhone } from '~/src/features/bookings/HiddenDetails'
import { statusCounts } from '~/src/features/earnings/earnings'
import { users } from '~/src/features/users/users'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink, IconButton, Tabs } from '~/src/ui/controls'
import { type Format, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { useBulkSelection } from '~/src/office/recordPages/BulkDialog'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import { Panel } from '~/src/office/recordPages/Panel'
import { useCursor, useOverlayParam, useTableState } from '~/src/ui/table/tableState'
import { EmptyState } from '~/src/ui/states'
import { formatContact } from '../contactFormat'
import { FleetRowsFoot, useFleetRows } from '../fleetRows'
import { ImportButton } from '../imports/ImportButton'
import { useOfficeSession } from '../useOfficeSession'
import { getAllowedActions } from './allowedActions'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs, useOpenBookingDialog } from './BookingDialogs'
import { FilterChips, FilterFields, useUrlFilters } from './BookingFilters'
import css from './bookings.module.css'
import { BulkBookingDialog } from './BulkBookingDialog'
import { SearchHits } from './SearchHits'
import type { Column } from '~/src/ui/table/tableProps'
import {
  STATUSES,
  type Booking,
  type BookingWithContacts,
  type Status,
} from '~/domain/booking/types'
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
const BOOKING_ID_PATTERN = /^-[A-Za-z0-9_-]{19}$/
/** Number of bookings that a fleet admin sees at first. */
const FLEET_PAGE_SIZE = 30
const DEFAULTS = { size: 25, sort: 'date', descending: true }
/** Maximum number of bookings that one search by an admin reads at once. */
const ADMIN_SEARCH_SIZE = 100

const PHONE = ['customer_contact'] as const
/** Shows the customer's name and phone. `shown` formats the phone. */
const CustomerCell = ({
  booking,
  shown,
}: {
  booking: Booking
  shown: (phone: string) => string
}) => {
  const { customer_contact: phone } = useBookingContacts(booking, PHONE)
  const text = shown(phone ?? '')
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
  const { users: found } = useLive(users, { ids: requested.slice(0, ASKED_SHOWN) })
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
  const names = found.map(formatFullName).join(', ')
  const others = requested.length - found.length
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
    const shown: Column<BookingWithContacts> = {
      ...column,
      isOnCard: MAIN_COLUMNS.has(column.id),
    }
    if (column.id === 'deliveryPersonPhone')
      shown.cell = (b) => (
        <RecipientPhone booking={b} shown={(phone) => formatContact(phone, settings, t)} />
      )
    if (column.id === 'customer')
      shown.cell = (b) => (
        <CustomerCell booking={b} shown={(phone) => formatContact(phone, settings, t)} />
      )
    if (column.id === 'driver') shown.cell = (b) => <DriverCell booking={b} />
    return shown
  })
}

const StatusTabs = ({
  status,
  onStatus,
}: {
  status: Status | null
  onStatus: (status: Status | null) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { counts } = useLive(statusCounts)
  const all = Object.values(counts ?? {}).reduce<number>((sum, count) => sum + count, 0)
  const label = (name: string, count: number | undefined) => (
    <>
      {name}
      {counts && <span className={css.count}>{format.number(count ?? 0)}</span>}
    </>
  )
  return (
    <Tabs
      label={t('status')}
      value={status ?? 'all'}
      onChange={(next) => onStatus(next === 'all' ? null : next)}
      tabs={[
        { value: 'all' as const, label: label(t('all'), all) },
        ...STATUSES.map((one) => ({ value: one, label: label(t(`status_${one}`), counts?.[one]) })),
      ]}
    />
  )
}

const BULK_ACTIONS = ['assign', 'cancel'] as const

/**
 * Lists every booking (admin) or the bookings of their own drivers (fleet admin), newest first and
 * live.
 */
export const BookingsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { profile, isAdmin, settings, canOrNotify, can: may } = useOfficeSession()
  const usertype = profile?.usertype ?? 'fleetadmin'

  const filters = useUrlFilters(settings)
  const { filter } = filters
  const status = filter.status ?? null
  const { opened, open, close } = useOverlayParam('open')
  const [{ size, search, sort, descending }] = useTableState(DEFAULTS)
  const cursor = useCursor()
  const fleet = useFleetRows(FLEET_PAGE_SIZE, cursor)
  const [filtering, setFiltering] = useState(false)
  const ask = useOpenBookingDialog()

  // When no index covers the search, we filter a window of the results of an index that covers part
  // of it.
  const isWindow = isAdmin && (search.trim() !== '' || !isCoveredByIndex(filter))
  const isPaged = isAdmin && !isWindow
  // We request one more than we show, to learn whether a next page exists.
  const ascending = isAdmin && sort === 'date' && !descending
  const requested = {
    size: isPaged ? size + 1 : isWindow ? ADMIN_SEARCH_SIZE : fleet.size,
    ...(cursor.before && { cursor: cursor.before }),
    ...(ascending && { ascending }),
    ...(isAdmin && filter),
  }
  const { bookings, ...listQuery } = useLive(liveBookings, requested)

  // Pages follow the order of the index; the last row is beyond the page.
  const isDated = isByDate(filter)
  const ordered = useMemo(() => {
    const newestFirst =
      isAdmin && !isDated ? [...bookings].sort((a, b) => (a.id < b.id ? 1 : -1)) : bookings
    return ascending ? [...newestFirst].reverse() : newestFirst
  }, [bookings, isAdmin, isDated, ascending])
  const wanted = JSON.stringify(filter)
  const rows = useMemo(() => {
    if (isPaged) return ordered.slice(0, size)
    return ordered.filter((b) => isMatch(b, JSON.parse(wanted) as BookingFilter))
  }, [ordered, isPaged, size, wanted])
  const last = (isPaged ? rows : ordered).at(-1)
  const loadOlder = isAdmin ? undefined : fleet.getLoadOlder(bookings)
  const texts = useBookingTexts()
  const columns = useMemo(
    () =>
      createColumns({ t, format, usertype, settings, texts }).map((column) =>
        AT_FIRST.has(column.id) ? column : { ...column, isExtra: true as const },
      ),
    [t, format, usertype, settings, texts],
  )
  const exact = BOOKING_ID_PATTERN.test(search.trim()) && !rows.some((b) => b.id === search.trim())

  const { selected, onSelected, ask: askBulk, bulk, end } = useBulkSelection(rows, BULK_ACTIONS)
  const isFiltered = Object.keys(filter).length > 0
  const empty = (
    <EmptyState
      title={t('no_bookings')}
      action={
        isFiltered ? (
          <Button onClick={filters.clearAll}>{t('filter_clear')}</Button>
        ) : (
          isAdmin && <ButtonLink to={screenPaths.addBooking}>{t('menu_add_booking')}</ButtonLink>
        )
      }
    />
  )
  const actions = (booking: Booking) => {
    const can = getAllowedActions(booking, profile, settings)
    return (
      <span className={css.rowActions}>
        <IconButton
          label={t('assign_driver')}
          disabled={!can.assign}
          onClick={() => ask('assign', booking.id)}
        >
          <OfficeIcon name="wheel" />
        </IconButton>
        <IconButton
          label={t('release_booking')}
          disabled={!can.release}
          onClick={() => ask('release', booking.id)}
        >
          <OfficeIcon name="refresh" />
        </IconButton>
        <IconButton
          label={t('cancel_booking')}
          disabled={!can.cancel}
          onClick={() => ask('cancel', booking.id)}
        >
          <OfficeIcon name="reason" />
        </IconButton>
      </span>
    )
  }

  return (
    <ListPage
      id="bookings"
      title={t('menu_bookings')}
      query={listQuery}
      headActions={<ImportButton kind="bookings" />}
      empty={empty}
      lead={
        <>
          <StatusTabs status={status} onStatus={(next) => filters.setValues({ status: next })} />
          {filtering && <FilterFields {...filters} />}
          <FilterChips {...filters} />
          <SearchHits text={search.trim()} isAdmin={isAdmin} />
        </>
      }
      rows={rows}
      columns={columns}
      hasStableRows
      defaults={DEFAULTS}
      toSearchText={bookingText}
      onOpen={(b) => open(b.id)}
      openedId={opened}
      linkTo={(b) => screenPaths.booking(b.id)}
      {...(isAdmin && { actions })}
      {...(isAdmin && {
        selection: {
          selected,
          onSelected,
          name: (b: Booking) => b.reference,
          bar: BULK_ACTIONS.map((action) => (
            <Button
              key={action}
              size="small"
              {...(action === 'cancel' && { variant: 'danger' as const })}
              onClick={() => canOrNotify(`booking_${action}`) && askBulk(action)}
            >
              {t(`bulk_${action}`)}
            </Button>
          )),
        },
      })}
      {...(isPaged && {
        cursorPaging: {
          // With a filter by status, person or vehicle type, pages follow the ids.
          sortedBy: isDated ? { column: 'date', descending: !ascending } : null,
          hasNext: bookings.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(last && getCursor(last, filter)),
          onPrevious: cursor.onPrevious,
        },
      })}
      isPartial={loadOlder !== undefined}
      {...(may('table_export') && {
        exportAs: {
          name: 'bookings',
          rows: (onProgress) => dispatch(fetchBookingsToExport({ filter, onProgress })).unwrap(),
        },
      })}
      toolbar={
        <>
          <Button size="small" aria-expanded={filtering} onClick={() => setFiltering(!filtering)}>
            {t('filters')}
          </Button>
          {exact && (
            <Button size="small" onClick={() => open(search.trim())}>
              <Icon name="search" size={18} />
              {t('open_booking')}
            </Button>
          )}
        </>
      }
    >
      {isWindow && (
        <div className={css.looked}>
          <span>{t('looked_through', { number: format.number(bookings.length) })}</span>
          {cursor.hasPrevious && (
            <Button size="small" onClick={cursor.onPrevious}>
              {t('look_nearer')}
            </Button>
          )}
          {last && bookings.length >= ADMIN_SEARCH_SIZE && (
            <Button size="small" onClick={() => cursor.onNext(getCursor(last, filter))}>
              {t('look_further')}
            </Button>
          )}
        </div>
      )}
      {!isAdmin && (
        <FleetRowsFoot
          onNewer={cursor.hasPrevious ? cursor.onPrevious : undefined}
          onOlder={loadOlder}
        />
      )}
      {opened && (
        <Panel
          wide
          title={<BookingReference id={opened} />}
          page={screenPaths.booking(opened)}
          onClose={() => close()}
        >
          <BookingDetail key={opened} id={opened} />
        </Panel>
      )}
      {bulk && <BulkBookingDialog {...bulk} onClose={end} />}
      <BookingDialogs />
    </ListPage>
  )
}
