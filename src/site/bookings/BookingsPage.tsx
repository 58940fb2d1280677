import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { Booking, Status } from '~/domain/entities'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { activeOf, bookings as liveBookings } from '~/src/features/bookings/bookings'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink, Segments, Tabs } from '~/src/ui/controls'
import { DateTime, Money } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './BookingsPage.module.css'
import { priceOf } from './price'

const BookingsTable = lazy(async () => ({
  default: (await import('~/src/features/bookings/BookingsTable')).BookingsTable,
}))

const TABS = ['active', 'past', 'cancelled', 'all'] as const
type Tab = (typeof TABS)[number]
const PAST: readonly Status[] = ['PAID', 'COMPLETE']

const inTab = (rows: Booking[], tab: Tab): Booking[] => {
  if (tab === 'all') return rows
  if (tab === 'cancelled') return rows.filter((b) => b.status === 'CANCELLED')
  if (tab === 'past') return rows.filter((b) => PAST.includes(b.status))
  return activeOf(rows).filter((b) => !PAST.includes(b.status))
}

const Card = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <Link to={screens.booking(booking.id)} className={css.card}>
      <div className={css.head}>
        <BookingStatus status={booking.status} />
        <DateTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
      </div>
      <ol role="list" className={css.way}>
        <li>
          <span className={css.from} aria-hidden="true" />
          <span className="visually-hidden">{t('pickup')}: </span>
          {booking.pickupAddress}
        </li>
        <li>
          <span className={css.to} aria-hidden="true">
            <Icon name="pin" size={18} />
          </span>
          <span className="visually-hidden">{t('drop')}: </span>
          {booking.dropAddress}
        </li>
      </ol>
      <div className={css.foot}>
        {booking.carImage && <img src={booking.carImage} alt="" width="64" height="36" />}
        <span className="typed">
          {booking.carType}
          {booking.driver_name && <small>{booking.driver_name}</small>}
        </span>
        <strong>
          <Money amount={priceOf(booking)} />
        </strong>
      </div>
    </Link>
  )
}

/** All bookings of whoever is signed in: cards by state, or the specification's table. */
export const BookingsPage = () => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [size, setSize] = useState(50)
  const { settings } = useLive(liveSettings)
  const { bookings, loading, error, retry } = useLive(liveBookings, { size })
  const tab = TABS.find((name) => name === params.get('tab')) ?? 'active'
  const view = params.get('view') === 'table' ? 'table' : 'cards'
  const show = (key: string, value: string) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.set(key, value)
        after.delete('page')
        return after
      },
      { replace: true },
    )
  const rows = inTab(bookings, tab)
  const body = () => {
    if (error.flag && error.msg)
      return <ErrorState onRetry={retry}>{t(error.msg, error.params ?? {})}</ErrorState>
    if (loading && bookings.length === 0) return <SkeletonLines lines={3} height="9rem" />
    if (bookings.length === 0)
      return (
        <EmptyState
          title={t('bookings_empty')}
          action={
            <ButtonLink look="primary" to={screens.home}>
              {t('book_one')}
            </ButtonLink>
          }
        >
          {t('bookings_empty_text')}
        </EmptyState>
      )
    if (view === 'table')
      return (
        <Suspense fallback={<SkeletonLines lines={6} />}>
          <BookingsTable label={t('bookings_title')} rows={rows} settings={settings} />
        </Suspense>
      )
    if (rows.length === 0)
      return (
        <EmptyState
          title={t('bookings_empty_tab')}
          action={
            <ButtonLink to={screens.home} look="primary">
              {t('book_one')}
            </ButtonLink>
          }
        />
      )
    return (
      <ul role="list" className={css.cards}>
        {rows.map((booking) => (
          <li key={booking.id}>
            <Card booking={booking} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <div className={css.page}>
      <h1>{t('bookings_title')}</h1>
      <div className={css.controls}>
        <Tabs
          label={t('status')}
          value={tab}
          onChange={(value) => show('tab', value)}
          tabs={TABS.map((value) => ({
            value,
            label: `${t(`tab_${value}`)} ${loading ? '' : inTab(bookings, value).length}`,
          }))}
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
        <p className={css.more}>
          <Button onClick={() => setSize(size + 50)}>{t('more')}</Button>
        </p>
      )}
    </div>
  )
}
