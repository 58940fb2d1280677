import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { liveBookings } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, SegmentedControl } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format/values'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { useBookingTexts } from './useBookingTexts'
import css from './BookingsList.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const BookingsTable = lazyWithRetry(
  async () => (await import('~/src/features/bookings/BookingsTable')).BookingsTable,
)

/** Renders a booking as a card that links to it. */
export const BookingLinkCard = ({
  booking,
  to,
  children,
}: {
  booking: Booking
  to: string
  children: ReactNode
}) => (
  <Link to={to} className={css.card}>
    <div className={css.head}>
      <BookingStatus status={booking.status} />
      <DateTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
    </div>
    {children}
  </Link>
)

interface Props<Tab extends string> {
  title: string
  tabs: readonly Tab[]
  initialTab: Tab
  /** Returns the label; `count` is null while the bookings load. */
  getTabLabel: (tab: Tab, count: number | null) => string
  filterByTab: (rows: Booking[], tab: Tab) => Booking[]
  pageSize: number
  settings: Settings | null
  /** False while something else that the list needs is loading. */
  isReady?: boolean
  renderCard: (booking: Booking) => ReactNode
  /** Renders a tab without bookings; `hasNone` when the user has no bookings at all. */
  renderEmpty: (hasNone: boolean) => ReactNode
  tableActions?: (booking: Booking) => ReactNode
  renderDialog?: (bookings: Booking[]) => ReactNode
}

/** Returns the tab and the view in the URL, and what changes them. */
const useTabAndView = <Tab extends string>({ tabs, initialTab }: Props<Tab>) => {
  const [params, setParams] = useSearchParams()
  const tab = tabs.find((name) => name === params.get('tab')) ?? initialTab
  const view = params.get('view') === 'table' ? ('table' as const) : ('cards' as const)
  const show = (key: 'tab' | 'view', value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.set(key, value)
        after.delete('page')
        return after
      },
      { replace: true },
    )
  return { tab, view, show }
}

/** Renders the bookings of a tab as cards or as a table, or why there are none. */
const TabContent = <Tab extends string>({
  props: { title, filterByTab, settings, isReady = true, renderCard, renderEmpty, tableActions },
  tab,
  view,
  isWhole,
  query: { bookings, loading, error, retry },
}: {
  props: Props<Tab>
  tab: Tab
  view: 'table' | 'cards'
  isWhole: boolean
  query: ReturnType<typeof useBookings>
}) => {
  const { t } = useTranslation()
  const texts = useBookingTexts()
  if (error.flag && error.msg)
    return <ErrorState onRetry={retry}>{t(error.msg, error.params ?? {})}</ErrorState>
  if (!isReady || (loading && bookings.length === 0))
    return <SkeletonLines lines={3} height="9rem" />
  const rows = filterByTab(bookings, tab)
  if (rows.length === 0 && (view === 'cards' || bookings.length === 0))
    return renderEmpty(bookings.length === 0)
  if (view === 'table')
    return (
      <Suspense fallback={<SkeletonLines lines={6} />}>
        <BookingsTable
          label={title}
          rows={bookings}
          within={(all) => filterByTab(all, tab)}
          isWhole={isWhole}
          settings={settings}
          texts={texts}
          {...(tableActions && { actions: tableActions })}
        />
      </Suspense>
    )
  return (
    <ul role="list" className={css.cards}>
      {rows.map((booking) => (
        <li key={booking.id}>{renderCard(booking)}</li>
      ))}
    </ul>
  )
}

const useBookings = (size: number) => useLive(liveBookings, { size })

/** Renders the bookings of the signed-in user by tab, as cards or as a table. */
export const BookingsList = <Tab extends string>(props: Props<Tab>) => {
  const { t } = useTranslation()
  const { title, tabs, getTabLabel, filterByTab, pageSize, renderDialog } = props
  const [size, setSize] = useState(pageSize)
  const query = useBookings(size)
  const { bookings, loading } = query
  const { tab, view, show } = useTabAndView(props)
  return (
    <div className={css.page}>
      <h1>{title}</h1>
      <div className={css.controls}>
        <Tabs
          label={t('status')}
          value={tab}
          onChange={(value) => show('tab', value)}
          tabs={tabs.map((value) => ({
            value,
            label: getTabLabel(value, loading ? null : filterByTab(bookings, value).length),
          }))}
        />
        <SegmentedControl
          legend={t('view')}
          value={view}
          onChange={(value) => show('view', value)}
          options={[
            { value: 'cards', label: t('view_cards') },
            { value: 'table', label: t('view_table') },
          ]}
        />
      </div>
      <TabContent {...{ props, tab, view, query }} isWhole={bookings.length < size} />
      {renderDialog?.(bookings)}
      {bookings.length === size && (
        <p className={css.more}>
          <Button onClick={() => setSize(size + pageSize)}>{t('more')}</Button>
        </p>
      )}
    </div>
  )
}
