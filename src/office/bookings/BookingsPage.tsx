import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bookingText } from '~/domain/booking/search/bookingSearch'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { fetchBookingsToExport } from '~/src/features/bookings/bookingsExport'
import { statusCounts } from '~/src/features/earnings/earnings'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { AddressList } from '~/src/ui/format/address'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { useBulkSelection } from '~/src/office/recordPages/BulkDialog'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { Panel } from '~/src/office/recordPages/Panel'
import { useOverlayParam } from '~/src/ui/table/tableState'
import { EmptyState } from '~/src/ui/feedback/states'
import { FleetRowsFoot } from '../fleetRows'
import { ImportButton } from '../imports/ImportButton'
import { useOfficeSession } from '../useOfficeSession'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs } from './BookingDialogs'
import { FilterChips, FilterFields, useUrlFilters } from './BookingFilters'
import css from './bookings.module.css'
import { BulkBookingDialog } from './BulkBookingDialog'
import { useOfficeBookingColumns } from './officeBookingColumns'
import { useBookingMenu } from './row/useBookingMenu'
import { SearchHits } from './SearchHits'
import { TABLE_DEFAULTS, useBookingRows } from './useBookingRows'
import { STATUSES, type Booking, type Status } from '~/domain/booking/types'

const BOOKING_ID_PATTERN = /^-[A-Za-z0-9_-]{19}$/

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
/** Says how many bookings a search has read, and moves it to others. */
const SearchWindow = ({
  window: { count, onNearer, onFurther },
}: {
  window: NonNullable<ReturnType<typeof useBookingRows>['window']>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={css.looked}>
      <span>{t('looked_through', { number: format.number(count) })}</span>
      {onNearer && (
        <Button size="small" onClick={onNearer}>
          {t('look_nearer')}
        </Button>
      )}
      {onFurther && (
        <Button size="small" onClick={onFurther}>
          {t('look_further')}
        </Button>
      )}
    </div>
  )
}

/** Says that the list is empty, and offers a way on. */
const NoBookings = ({ onClear }: { onClear: (() => void) | undefined }) => {
  const { t } = useTranslation()
  const { isAdmin } = useOfficeSession()
  return (
    <EmptyState
      title={t('no_bookings')}
      action={
        onClear ? (
          <Button onClick={onClear}>{t('filter_clear')}</Button>
        ) : (
          isAdmin && <ButtonLink to={screenPaths.addBooking}>{t('menu_add_booking')}</ButtonLink>
        )
      }
    />
  )
}

/** Returns the selection of rows with its buttons, and the dialog of the chosen one. */
const useBulkActions = (rows: Booking[]) => {
  const { t } = useTranslation()
  const { canOrNotify } = useOfficeSession()
  const { selected, onSelected, ask, bulk, end } = useBulkSelection(rows, BULK_ACTIONS)
  const selection = {
    selected,
    onSelected,
    name: (b: Booking) => b.reference,
    bar: BULK_ACTIONS.map((action) => (
      <Button
        key={action}
        size="small"
        {...(action === 'cancel' && { variant: 'danger' as const })}
        onClick={() => canOrNotify(`booking_${action}`) && ask(action)}
      >
        {t(`bulk_${action}`)}
      </Button>
    )),
  }
  return { selection, dialog: bulk && <BulkBookingDialog {...bulk} onClose={end} /> }
}

/** Shows the filters and opens a booking by its id. */
const BookingsToolbar = ({
  isFiltering,
  onFiltering,
  onOpen,
}: {
  isFiltering: boolean
  onFiltering: (isFiltering: boolean) => void
  /** Opens the booking whose id is typed, unless it is in the list. */
  onOpen: (() => void) | undefined
}) => {
  const { t } = useTranslation()
  return (
    <>
      <Button size="small" aria-expanded={isFiltering} onClick={() => onFiltering(!isFiltering)}>
        {t('filters')}
      </Button>
      {onOpen && (
        <Button size="small" onClick={onOpen}>
          <Icon name="search" size={18} />
          {t('open_booking')}
        </Button>
      )}
    </>
  )
}

/**
 * Lists every booking (admin) or the bookings of their own drivers (fleet admin), newest first and
 * live.
 */
export const BookingsPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { isAdmin, settings, can } = useOfficeSession()
  const filters = useUrlFilters(settings)
  const { filter } = filters
  const { opened, open, close } = useOverlayParam('open')
  const [isFiltering, setFiltering] = useState(false)
  const { rows, query, search, window, paging, onNewer, loadOlder } = useBookingRows(filter)
  const columns = useOfficeBookingColumns()
  const menu = useBookingMenu()
  const { selection, dialog } = useBulkActions(rows)
  const isFiltered = Object.keys(filter).length > 0
  const isUnlistedId = BOOKING_ID_PATTERN.test(search) && !rows.some(({ id }) => id === search)
  return (
    <AddressList addresses={rows.flatMap((b) => [b.pickupAddress, b.dropAddress])}>
      <ListPage
        id="bookings"
        title={t('menu_bookings')}
        query={query}
        headActions={<ImportButton kind="bookings" />}
        empty={<NoBookings onClear={isFiltered ? filters.clearAll : undefined} />}
        lead={
          <>
            <StatusTabs
              status={filter.status ?? null}
              onStatus={(next) => filters.setValues({ status: next })}
            />
            {isFiltering && <FilterFields {...filters} />}
            <FilterChips {...filters} />
            <SearchHits text={search} isAdmin={isAdmin} />
          </>
        }
        rows={rows}
        columns={columns}
        hasStableRows
        defaults={TABLE_DEFAULTS}
        toSearchText={bookingText}
        onOpen={(b) => open(b.id)}
        openedId={opened}
        linkTo={(b) => screenPaths.booking(b.id)}
        {...(isAdmin && { menu, selection })}
        {...(paging && { cursorPaging: paging })}
        isPartial={loadOlder !== undefined}
        {...(can('table_export') && {
          exportAs: {
            name: 'bookings',
            rows: (onProgress) => dispatch(fetchBookingsToExport({ filter, onProgress })).unwrap(),
          },
        })}
        toolbar={
          <BookingsToolbar
            isFiltering={isFiltering}
            onFiltering={setFiltering}
            onOpen={isUnlistedId ? () => open(search) : undefined}
          />
        }
      >
        {window && <SearchWindow window={window} />}
        {!isAdmin && <FleetRowsFoot onNewer={onNewer} onOlder={loadOlder} />}
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
        {dialog}
        <BookingDialogs />
      </ListPage>
    </AddressList>
  )
}
