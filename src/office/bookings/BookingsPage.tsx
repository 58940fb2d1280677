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
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, IconButton, Tabs } from '~/src/ui/controls'
import { type Format, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { type Column, DataTable } from '~/src/ui/office/DataTable'
import { OfficeIcon } from '~/src/ui/office/OfficeIcon'
import { Panel } from '~/src/ui/office/Panel'
import pages from '~/src/ui/office/pages.module.css'
import { useAddress, useCursor, useTableState } from '~/src/ui/office/tableState'
import { EmptyState } from '~/src/ui/states'
import { contactShown } from '../contacts'
import { useOffice } from '../useOffice'
import { officeActions } from './actions'
import { AssignDialog } from './AssignDialog'
import { BookingDetail } from './BookingDetail'
import { FilterChips, FilterFields, useFilters } from './BookingFilters'
import css from './bookings.module.css'
import { BulkDialog } from './BulkDialog'
import { CancelDialog } from './CancelDialog'

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
const FLEET_WINDOW = 40
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
    if (column.id === 'reason') shown.cell = (b) => (b.reason ? t(b.reason) : null)
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
  const [open, setOpen] = useAddress('open')
  const [{ size, search }] = useTableState({ size: 25 })
  const cursor = useCursor()
  const [fleetSize, setFleetSize] = useState(FLEET_WINDOW)
  const [filtering, setFiltering] = useState(false)
  const [dialog, setDialog] = useState<{ kind: 'assign' | 'cancel'; booking: Booking } | null>(null)

  const [selected, setSelected] = useState<Set<string>>(new Set())
  const [bulk, setBulk] = useState<{ kind: 'assign' | 'cancel'; bookings: Booking[] } | null>(null)

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
  const { bookings, loading, error } = useLive(liveBookings, asked)

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

  const chosen = rows.filter(({ id }) => selected.has(id))
  const onBulk = (kind: 'assign' | 'cancel') => () => {
    if (chosen.length > 0 && allowed(`booking_${kind}`)) setBulk({ kind, bookings: chosen })
  }
  const actions = (booking: Booking) => {
    const can = officeActions(booking, profile, settings)
    const on = (kind: 'assign' | 'cancel') => () => {
      if (allowed(`booking_${kind}`)) setDialog({ kind, booking })
    }
    return (
      <span className={css.rowActions}>
        <IconButton label={t('assign_driver')} disabled={!can.assign} onClick={on('assign')}>
          <OfficeIcon name="wheel" />
        </IconButton>
        <IconButton label={t('cancel_booking')} disabled={!can.cancel} onClick={on('cancel')}>
          <OfficeIcon name="reason" />
        </IconButton>
      </span>
    )
  }

  return (
    <div className={pages.page}>
      <h1>{t('menu_bookings')}</h1>
      <StatusTabs status={status} onStatus={(next) => filters.set({ status: next })} />
      {filtering && <FilterFields {...filters} />}
      <FilterChips {...filters} />
      <DataTable
        id="bookings"
        label={t('menu_bookings')}
        rows={rows}
        columns={columns}
        loading={loading}
        error={error.flag ? t(error.msg ?? '') : null}
        defaults={{ size: 25 }}
        search={searchText}
        onOpen={(b) => setOpen(b.id)}
        {...(isAdmin && { actions })}
        {...(isAdmin && {
          selection: {
            selected,
            onSelected: setSelected,
            name: (b: Booking) => b.booking_id,
            bar: (
              <>
                <strong>{t('selected', { number: format.number(chosen.length) })}</strong>
                <Button size="small" onClick={onBulk('assign')}>
                  {t('bulk_assign')}
                </Button>
                <Button size="small" look="danger" onClick={onBulk('cancel')}>
                  {t('bulk_cancel')}
                </Button>
                <Button size="small" look="quiet" onClick={() => setSelected(new Set())}>
                  {t('select_none')}
                </Button>
              </>
            ),
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
              <Button size="small" onClick={() => setOpen(search.trim())}>
                <Icon name="search" size={18} />
                {t('open_booking')}
              </Button>
            )}
          </>
        }
        empty={<EmptyState title={t('no_bookings')} />}
      />
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
      {open && (
        <Panel wide title={<bdi>{open}</bdi>} onClose={() => setOpen(null)}>
          <BookingDetail id={open} />
        </Panel>
      )}
      {bulk && (
        <BulkDialog
          {...bulk}
          onClose={() => {
            setBulk(null)
            setSelected(new Set())
          }}
        />
      )}
      {dialog?.kind === 'assign' && settings && (
        <AssignDialog
          booking={dialog.booking}
          settings={settings}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog?.kind === 'cancel' && (
        <CancelDialog booking={dialog.booking} onClose={() => setDialog(null)} />
      )}
    </div>
  )
}
