import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { Booking, Settings, User } from '~/domain/entities'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { bookings as liveBookings } from '~/src/features/bookings/bookings'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink, Segments, Tabs } from '~/src/ui/controls'
import { DateTime, Distance, Money } from '~/src/ui/format'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { Places } from '../console/Places'
import { RECENT, stepsOf } from '../current'
import css from './DriverBookingsPage.module.css'

const BookingsTable = lazy(async () => ({
  default: (await import('~/src/features/bookings/BookingsTable')).BookingsTable,
}))

const TABS = ['all', 'open', 'done', 'cancelled'] as const
type Tab = (typeof TABS)[number]

const inTab = (rows: Booking[], tab: Tab, driver: User, settings: Settings): Booking[] => {
  const isOpen = (booking: Booking) => stepsOf(booking, driver, settings).length > 0
  if (tab === 'open') return rows.filter(isOpen)
  if (tab === 'done') return rows.filter(({ paid_at }) => paid_at !== undefined)
  if (tab === 'cancelled') return rows.filter(({ cancelled_at }) => cancelled_at !== undefined)
  return rows
}

const Card = ({ booking, isOpen }: { booking: Booking; isOpen: boolean }) => {
  const { t } = useTranslation()
  return (
    <Link to={isOpen ? screens.trips : screens.booking(booking.id)} className={css.card}>
      <div className={css.head}>
        <BookingStatus status={booking.status} />
        <DateTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
      </div>
      <Places booking={booking} />
      <div className={css.foot}>
        <span className="typed">
          {booking.customer_name}
          <small>
            <Distance value={booking.distance} />
            {booking.rating !== undefined && ` · ★ ${booking.rating}`}
          </small>
        </span>
        {booking.cancelled_at === undefined ? (
          <span className={css.share}>
            <strong>
              <Money amount={booking.driver_share} />
            </strong>
            <small>{t('driver_share')}</small>
          </span>
        ) : (
          <small className={`${css.reason} typed`}>{booking.reason}</small>
        )}
      </div>
    </Link>
  )
}

/** The driver's own bookings with what he earned: cards, or the specification's table. */
export const DriverBookingsPage = () => {
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const [size, setSize] = useState(RECENT.size)
  const { bookings, loading, error, retry } = useLive(liveBookings, { size })
  const [params, setParams] = useSearchParams()
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'all'
  const view = params.get('view') === 'table' ? 'table' : 'cards'
  const show = (key: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.set(key, value)
        return after
      },
      { replace: true },
    )
  const body = () => {
    if (error.flag && error.msg)
      return <ErrorState onRetry={retry}>{t(error.msg, error.params ?? {})}</ErrorState>
    if (!driver || !settings || (loading && bookings.length === 0))
      return <SkeletonLines lines={3} height="9rem" />
    const rows = inTab(bookings, tab, driver, settings)
    if (rows.length === 0)
      return (
        <EmptyState
          title={t(bookings.length === 0 ? 'driver_bookings_empty' : 'driver_bookings_none')}
          action={
            <ButtonLink to={screens.trips} look="primary">
              {t('to_console')}
            </ButtonLink>
          }
        />
      )
    if (view === 'table')
      return (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <BookingsTable label={t('menu_bookings')} rows={rows} settings={settings} />
        </Suspense>
      )
    return (
      <ul role="list" className={css.cards}>
        {rows.map((booking) => (
          <li key={booking.id}>
            <Card booking={booking} isOpen={stepsOf(booking, driver, settings).length > 0} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <div className={css.page}>
      <h1>{t('menu_bookings')}</h1>
      <div className={css.controls}>
        <Tabs
          label={t('status')}
          value={tab}
          onChange={(value) => show('tab', value)}
          tabs={TABS.map((value) => ({ value, label: t(`driver_tab_${value}`) }))}
        />
        <Segments
          legend={t('view')}
          value={view}
          onChange={(value) => show('view', value)}
          options={[
            { value: 'cards', label: t('view_cards') },
            { value: 'table', label: t('view_table') },
          ]}
        />
      </div>
      {body()}
      {bookings.length === size && (
        <Button wide onClick={() => setSize(size + RECENT.size)}>
          {t('more')}
        </Button>
      )}
    </div>
  )
}
