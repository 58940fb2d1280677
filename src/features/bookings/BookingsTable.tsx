import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { bookingText, hasWords } from '~/domain/booking/search/bookingSearch'
import { checkAction } from '~/domain/access/permissions'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DataTable } from '~/src/ui/table/DataTable'
import { OfficeTheme } from '~/src/ui/table/OfficeTheme'
import { useTableState } from '~/src/ui/table/tableState'
import css from './BookingsTable.module.css'
import { type BookingTexts, makeBookingColumns } from './bookingColumns'
import { fetchBookingsToExport } from './bookingsExport'
import { useBookingSearch } from './search'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/**
 * The columns of a phone card: the first two are its headline. The pickup time of a booking for now
 * is the time at which it was booked.
 */
const ON_CARD = new Set(['reference', 'tripdate', 'status', 'pickup', 'drop'])
/** Sorts newest first. */
const newestFirst = (a: Booking, b: Booking) => b.bookingDate - a.bookingDate

interface Props {
  label: string
  /** The loaded bookings of every tab. */
  rows: Booking[]
  /** Filters bookings by the selected tab. */
  within: (rows: Booking[]) => Booking[]
  /** True when every booking is loaded. */
  isWhole: boolean
  settings: Settings | null
  texts: BookingTexts
  /** Additional buttons of a row. */
  actions?: (booking: Booking) => ReactNode
}

/** Returns the rows of the tab with those that a search has found, and what it has covered. */
const useSearchedRows = ({
  loaded,
  within,
  isWhole,
}: Pick<Props, 'within' | 'isWhole'> & { loaded: Booking[] }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [{ search }] = useTableState()
  const words = search.trim()
  const older = useBookingSearch(words && !isWhole ? words : null)
  const { foundBookings } = older
  const all = useMemo(() => {
    const loadedIds = new Set(loaded.map(({ id }) => id))
    const more = foundBookings.filter(({ id }) => !loadedIds.has(id))
    return more.length > 0 ? [...loaded, ...more].sort(newestFirst) : loaded
  }, [loaded, foundBookings])
  const rows = within(all)
  const matches = (some: Booking[]) => some.filter((b) => hasWords(bookingText(b), words)).length
  const elsewhere = words ? matches(all) - matches(rows) : 0
  const isSearching = older.state === 'searching'
  const getStatus = () => {
    if (!words || older.state === 'failed') return null
    if (isSearching) return t('search_looked', { number: format.number(older.searchedCount) })
    return t('search_whole', {
      number: format.number(isWhole ? loaded.length : older.searchedCount),
    })
  }
  return { rows, older, isSearching, elsewhere, getStatus }
}

/**
 * Shows the signed-in user's bookings with the columns of their role. A search also covers bookings
 * that are not loaded.
 */
export const BookingsTable = ({
  label,
  rows: loaded,
  within,
  isWhole,
  settings,
  texts,
  actions,
}: Props) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const usertype = useAppSelector(selectProfile)?.usertype ?? 'rider'
  const { rows, older, isSearching, elsewhere, getStatus } = useSearchedRows({
    loaded,
    within,
    isWhole,
  })
  const mayExport = settings && !checkAction('table_export', usertype, settings)
  // People know their bookings by the reference; the id is only in the URL.
  const columns = makeBookingColumns({ t, format, usertype, settings, texts })
    .filter(({ id }) => id !== 'booking_id')
    .map((column) => ({ ...column, isOnCard: ON_CARD.has(column.id) }))
  return (
    <OfficeTheme>
      <DataTable
        label={label}
        rows={rows}
        loading={isSearching}
        columns={columns}
        toSearchText={bookingText}
        actions={(b) => (
          <span className={css.actions}>
            {actions?.(b)}
            <ButtonLink size="small" to={screenPaths.booking(b.id)}>
              {t('open')}
            </ButtonLink>
          </span>
        )}
        {...(mayExport && {
          exportAs: {
            name: 'bookings',
            rows: async (onProgress) => {
              const exported = dispatch(fetchBookingsToExport({ filter: {}, onProgress }))
              return [...within(await exported.unwrap())].sort(newestFirst)
            },
          },
        })}
      />
      <p className={css.searched} role="status">
        {getStatus()}
        {elsewhere > 0 && ` ${t('search_elsewhere', { number: format.number(elsewhere) })}`}
      </p>
      {older.state === 'failed' && (
        <p className={css.searched} role="alert">
          {t('search_failed')}{' '}
          <Button size="small" onClick={older.retry}>
            {t('try_again')}
          </Button>
        </p>
      )}
    </OfficeTheme>
  )
}
