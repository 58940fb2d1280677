import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import type { Booking, Settings, User } from '~/domain/entities'
import { isBalanceNegative } from '~/domain/wallet'
import { PushPrompt } from '~/src/features/inbox/PushPrompt'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { offers as liveTasks } from '~/src/features/offers/offers'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Checkbox, Tabs } from '~/src/ui/controls'
import { Money } from '~/src/ui/format'
import { SkeletonLines } from '~/src/ui/states'
import { useServerNow } from '../serverTime'
import {
  type BookingWithEvents,
  findTracked,
  mayAcceptOffer,
  useCurrentBookings,
} from '../currentBookings'
import { AvailabilityCard } from '../availability/AvailabilityCard'
import { GpsProblem } from '../availability/GpsProblem'
import { useWalletHistory } from '../earnings/walletHistory'
import { getRecentEarnings } from '../earnings/walletReports'
import { isRingtoneMuted, setRingtoneMuted } from '../ringtone'
import { NavigationMap } from '../NavigationMap'
import { CurrentBooking } from './CurrentBooking'
import { EndedBooking, useEndedBooking } from './EndedBooking'
import { NextBooking } from './NextBooking'
import { OfferCard, useEndedOfferNotice } from './OfferCard'
import { usePushAnswer } from './pushAnswer'
import css from './TripsPage.module.css'

const TodaySummary = ({ driver, settings }: { driver: User; settings: Settings }) => {
  const { t } = useTranslation()
  const now = useServerNow(60_000)
  const { history, loading } = useWalletHistory(now, 1)
  if (loading) return <SkeletonLines lines={1} height="4rem" />
  const { today } = getRecentEarnings(history, settings, now)
  return (
    <Link to={screenPaths.wallet} className={css.today}>
      <span>
        <small>{t('earned_today')}</small>
        <strong>
          <Money amount={today.amount} />
        </strong>
      </span>
      <span>
        <small>{t('bookings_today')}</small>
        <strong>{today.count}</strong>
      </span>
      <span>
        <small>{t('wallet_balance')}</small>
        <strong data-low={isBalanceNegative(driver.walletBalance, settings) || undefined}>
          <Money amount={driver.walletBalance} />
        </strong>
      </span>
    </Link>
  )
}

const RingtoneToggle = () => {
  const { t } = useTranslation()
  const [muted, setMuted] = useState(isRingtoneMuted)
  return (
    <Checkbox
      label={t('horn_sound')}
      checked={!muted}
      onChange={({ target }) => {
        setRingtoneMuted(!target.checked)
        setMuted(!target.checked)
      }}
    />
  )
}

/** Shows that the driver is on duty without an offer yet. */
const WaitingForOffers = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  if (!driver.driverActiveStatus) return null
  return (
    <>
      <p className={css.waiting} role="status">
        <span className={css.pulse} aria-hidden="true" />
        {t('waiting_for_requests')}
      </p>
      <PushPrompt reason="driver" />
      <NavigationMap tall />
      <RingtoneToggle />
    </>
  )
}

const CurrentBookingTabs = ({
  current,
  driver,
  settings,
}: {
  current: BookingWithEvents[]
  driver: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = current.find(({ booking }) => booking.id === chosen) ?? current[0]
  if (!shown) return null
  return (
    <>
      {current.length > 1 && (
        <Tabs
          label={t('current_bookings')}
          value={shown.booking.id}
          onChange={setChosen}
          tabs={current.map(({ booking }) => ({
            value: booking.id,
            label: `${booking.customer_name.split(' ')[0] ?? ''} · ${t(`status_${booking.status}`)}`,
          }))}
        />
      )}
      <CurrentBooking key={shown.booking.id} current={shown} driver={driver} settings={settings} />
    </>
  )
}

const OfferList = ({
  ids,
  settings,
  trip,
  mayAccept,
  onAnswered,
}: {
  ids: string[]
  settings: Settings
  /** The trip that the driver finishes before an offered booking. */
  trip: Booking | undefined
  mayAccept: boolean
  onAnswered: (id: string) => void
}) => {
  const { t } = useTranslation()
  const [query] = useSearchParams()
  const answer = usePushAnswer()
  // A notification opens the console on its request.
  const [open, setOpen] = useState(query.get('booking'))
  const shown = open && ids.includes(open) ? open : ids[0]
  if (ids.length === 0) return null
  return (
    <section className={css.requests} aria-labelledby="requests-title">
      <h2 id="requests-title">{t('tasks_waiting', { count: ids.length })}</h2>
      {ids.map((id) => (
        <OfferCard
          key={id}
          id={id}
          settings={settings}
          trip={trip}
          mayAccept={mayAccept}
          isMapOpen={id === shown}
          onOpen={() => setOpen(id)}
          onAnswered={onAnswered}
          given={answer?.booking_id === id ? answer.event : null}
        />
      ))}
    </section>
  )
}

/** Renders the driver's console: offers, the current booking and the duty switch. */
export const TripsPage = () => {
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { tasks } = useLive(liveTasks)
  const { current, loading } = useCurrentBookings()
  const [ended, dismiss] = useEndedBooking()
  const ids = useMemo(() => tasks ?? [], [tasks])
  // Kept here because the list of offers, which unmounts when an offer becomes the current booking,
  // would lose which offers this driver answered.
  const onAnswered = useEndedOfferNotice(ids)
  if (!driver || !settings || (loading && current.length === 0))
    return (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  const isNext = ({ booking }: BookingWithEvents) => booking.follows !== undefined
  const mayAccept = mayAcceptOffer(driver, current, settings)
  // While driving, the current booking comes before new offers.
  const requests = (
    <OfferList
      ids={ids}
      settings={settings}
      trip={driver.queue && mayAccept ? findTracked(current) : undefined}
      mayAccept={mayAccept}
      onAnswered={onAnswered}
    />
  )
  const idle = current.length === 0 && ids.length === 0
  return (
    <div className={css.page}>
      <h1 className="visually-hidden">{t('menu_trips')}</h1>
      <GpsProblem />
      {current.length === 0 && requests}
      {ended && idle && <EndedBooking booking={ended} onNext={dismiss} />}
      <CurrentBookingTabs
        current={current.filter((one) => !isNext(one))}
        driver={driver}
        settings={settings}
      />
      {current.filter(isNext).map((one) => (
        <NextBooking key={one.booking.id} next={one} driver={driver} settings={settings} />
      ))}
      {current.length > 0 && requests}
      {idle && (
        <>
          <AvailabilityCard driver={driver} />
          <TodaySummary driver={driver} settings={settings} />
          <WaitingForOffers driver={driver} />
        </>
      )}
    </div>
  )
}
