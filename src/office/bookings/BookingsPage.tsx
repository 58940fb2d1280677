import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type BookingFilter, isAnsweredByIndex, isFound } from '~/domain/bookingFilter'
import {
  type Booking,
  type Settings,
  STATUSES,
  type Status,
  type UserType,
} from '~/domain/entities'
import { bookings as liveBookings, cursorOf } from '~/src/features/bookings/bookings'
import { bookingColumns } from '~/src/features/bookings/columns'
import { fetchBookingsToExport } from '~/src/features/bookings/export'
import { statusCounts } from '~/src/features/earnings/earnings'
import { reasonOf } from '~/src/i18n/reasons'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink, IconButton, Tabs } from '~/src/ui/controls'
import { type Format, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { useBulk } from '~/src/ui/office/BulkDialog'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import { OfficeIcon } from '~/src/ui/office/OfficeIcon'
import { Panel } from '~/src/ui/office/Panel'
import { useCursor, useOpened, useTableState } from '~/src/ui/office/tableState'
import { EmptyState } from '~/src/ui/states'
import { contactShown } from '../contacts'
import { useOffice } from '../useOffice'
import { officeActions } from './actions'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs, useBookingDialog } from './BookingDialogs'
import { FilterChips, FilterFields, useFilters } from './BookingFilters'
import css from './bookings.module.css'
import { BulkBookings } from './BulkBookings'

const MAIN = new Set(['booking_id', 'date', 'status', 'customer', 'pickup', 'drop', 'driver'])
/** What an export writes where the screen shows something else than text. */
const WRITTEN: Record<string, (b: Booking) => string | number> = {
  date: (b) => new Date(b.bookingDate).toISOString(),
  status: (b) => b.status,
  pickup_image: (b) => b.pickup_image ?? '',
  deliver_image: (b) => b.deliver_image ?? '',
}
const BOOKING_ID = /^-[A-Za-z0-9_-]{19}$/
/** A fleet admin's query can't be paged by key: he gets so many of the newest, and more when he asks. */
const FLEET_WINDOW = 30
/** So many an admin's search looks through at once. */
const ADMIN_WINDOW = 100

const officeColumns = (viewer: {
  t: TFunction
  format: Format
  usertype: UserType
  settings: Settings | null
}): Column<Booking>[] => {
  const { t, settings } = viewer
  return bookingColumns(viewer).map((column) => {
    const shown: Column<Booking> = {
      ...column,
      main: MAIN.has(column.id),
      ...(WRITTEN[column.id] && { text: WRITTEN[column.id] }),
    }
    if (column.id === 'deliveryPersonPhone')
      shown.cell = (b) => <bdi>{contactShown(b.deliveryPersonPhone, settings, t)}</bdi>
    if (column.id === 'reason') shown.cell = (b) => (b.reason ? reasonOf(b.reason, t) : null)
    return shown
  })
}

const searchText = (b: Booking) =>
  `${b.booking_id} ${b.customer_name} ${b.pickupAddress} ${b.dropAddress} ${b.driver_name ?? ''} ${b.vehicle_number ?? ''} ${b.carType}`

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

const DEEDS = ['assign', 'cancel'] as const

/** Every booking (admin) or those of one's drivers (fleet admin), newest first and live. */
export const BookingsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { profile, isAdmin, settings, allowed, may } = useOffice()
  const usertype = profile?.usertype ?? 'fleetadmin'

  const filters = useFilters(settings)
  const { filter } = filters
  const status = filter.status ?? null
  const { opened, open, close } = useOpened('open')
  const [{ size, search }] = useTableState({ size: 25 })
  const cursor = useCursor()
  const [fleetSize, setFleetSize] = useState(FLEET_WINDOW)
  const [filtering, setFiltering] = useState(false)
  const ask = useBookingDialog()

  // What no index answers is looked for in a window of what one does.
  const isWindow = isAdmin && (search.trim() !== '' || !isAnsweredByIndex(filter))
  const isPaged = isAdmin && !isWindow
  // One more than is shown: it tells whether there is a next page.
  const asked = isAdmin
    ? {
        size: isWindow ? ADMIN_WINDOW : size + 1,
        ...(cursor.before && { before: cursor.before }),
        ...filter,
      }
    : { size: fleetSize }
  const { bookings, ...look } = useLive(liveBookings, asked)

  // The index's order is the one the pages go by; the row beyond the page is the oldest of them.
  const isDated = filter.from !== undefined || filter.until !== undefined
  const ordered = useMemo(
    () => (isAdmin && !isDated ? [...bookings].sort((a, b) => (a.id < b.id ? 1 : -1)) : bookings),
    [bookings, isAdmin, isDated],
  )
  const wanted = JSON.stringify(filter)
  const rows = useMemo(() => {
    if (isPaged) return ordered.slice(0, size)
    return ordered.filter((b) => isFound(b, JSON.parse(wanted) as BookingFilter))
  }, [ordered, isPaged, size, wanted])
  const last = (isPaged ? rows : ordered).at(-1)
  const columns = useMemo(
    () => officeColumns({ t, format, usertype, settings }),
    [t, format, usertype, settings],
  )
  const exact = BOOKING_ID.test(search.trim()) && !rows.some((b) => b.id === search.trim())

  const { selected, onSelected, ask: askBulk, bulk, end } = useBulk(rows, DEEDS)
  const isFiltered = Object.keys(filter).length > 0
  const empty = (
    <EmptyState
      title={t('no_bookings')}
      action={
        isFiltered ? (
          <Button onClick={filters.clear}>{t('filter_clear')}</Button>
        ) : (
          isAdmin && <ButtonLink to={screens.addBooking}>{t('menu_add_booking')}</ButtonLink>
        )
      }
    />
  )
  const actions = (booking: Booking) => {
    const can = officeActions(booking, profile, settings)
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
      look={look}
      empty={empty}
      lead={
        <>
          <StatusTabs status={status} onStatus={(next) => filters.set({ status: next })} />
          {filtering && <FilterFields {...filters} />}
          <FilterChips {...filters} />
        </>
      }
      rows={rows}
      columns={columns}
      steady
      defaults={{ size: 25 }}
      search={searchText}
      onOpen={(b) => open(b.id)}
      {...(isAdmin && { actions })}
      {...(isAdmin && {
        selection: {
          selected,
          onSelected,
          name: (b: Booking) => b.booking_id,
          bar: DEEDS.map((deed) => (
            <Button
              key={deed}
              size="small"
              {...(deed === 'cancel' && { look: 'danger' as const })}
              onClick={() => allowed(`booking_${deed}`) && askBulk(deed)}
            >
              {t(`bulk_${deed}`)}
            </Button>
          )),
        },
      })}
      {...(isPaged && {
        remote: {
          hasNext: bookings.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(last && cursorOf(last, filter)),
          onPrevious: cursor.onPrevious,
        },
      })}
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
          {last && bookings.length >= ADMIN_WINDOW && (
            <Button size="small" onClick={() => cursor.onNext(cursorOf(last, filter))}>
              {t('look_further')}
            </Button>
          )}
        </div>
      )}
      {!isAdmin && bookings.length >= fleetSize && (
        <div>
          <Button onClick={() => setFleetSize(Math.min(1000, fleetSize + FLEET_WINDOW))}>
            {t('load_older')}
          </Button>
        </div>
      )}
      {opened && (
        <Panel wide title={<bdi>{opened}</bdi>} onClose={() => close()}>
          <BookingDetail id={opened} />
        </Panel>
      )}
      {bulk && <BulkBookings {...bulk} onClose={end} />}
      <BookingDialogs />
    </ListPage>
  )
}
