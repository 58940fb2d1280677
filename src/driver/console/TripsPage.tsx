import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { isBalanceNegative } from '~/domain/money/wallet'
import { PushPrompt } from '~/src/features/inbox/PushPrompt'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Checkbox } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { Tabs } from '~/src/ui/navigation/Tabs'
import { useServerNow } from '../serverTime'
import { type BookingWithEvents, useCurrentBookings } from '../currentBookings'
import { AvailabilityCard } from '../availability/AvailabilityCard'
import { GpsProblem } from '../availability/GpsProblem'
import { useWalletHistory } from '../earnings/walletHistory'
import { getRecentEarnings } from '../earnings/walletReports'
import { isRingtoneMuted, setRingtoneMuted } from '../ringtone'
import { OfficeMessageButton } from '../messages/OfficeMessageButton'
import { NavigationMap } from '../NavigationMap'
import { OfferList } from '../offers/OfferList'
import { useOffers } from '../offers/useOffers'
import { CurrentBooking } from './CurrentBooking'
import { EndedBooking, useEndedBooking } from './EndedBooking'
import { NextBooking } from './NextBooking'
import { areTurnsSpoken, setTurnsSpoken } from './spokenTurns'
import css from './TripsPage.module.css'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

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

const SpokenTurnsToggle = () => {
  const { t } = useTranslation()
  const [areSpoken, setSpoken] = useState(areTurnsSpoken)
  return (
    <Checkbox
      label={t('spoken_turns')}
      checked={areSpoken}
      onChange={({ target }) => {
        setTurnsSpoken(target.checked)
        setSpoken(target.checked)
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
      <NavigationMap size="tall" />
      <RingtoneToggle />
      <SpokenTurnsToggle />
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
  const [chosenId, setChosenId] = useState<string | null>(null)
  const shownEntry = current.find(({ booking }) => booking.id === chosenId) ?? current[0]
  if (!shownEntry) return null
  return (
    <>
      {current.length > 1 && (
        <Tabs
          label={t('current_bookings')}
          value={shownEntry.booking.id}
          onChange={setChosenId}
          tabs={current.map(({ booking }) => ({
            value: booking.id,
            label: `${booking.customer_name.split(' ')[0] ?? ''} · ${t(`status_${booking.status}`)}`,
          }))}
        />
      )}
      <CurrentBooking
        key={shownEntry.booking.id}
        current={shownEntry}
        driver={driver}
        settings={settings}
      />
    </>
  )
}

/** Renders the driver's console: offers, the current booking and the duty switch. */
export const TripsPage = () => {
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { current, loading } = useCurrentBookings()
  const [ended, dismiss] = useEndedBooking()
  const offers = useOffers()
  if (!driver || !settings || (loading && current.length === 0))
    return (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  const isNext = ({ booking }: BookingWithEvents) => booking.follows !== undefined
  // While driving, the current booking comes before the offers that no longer cover the screen.
  const requests = offers && !offers.areOverScreen && <OfferList offers={offers} />
  const idle = current.length === 0 && (offers?.ids ?? []).length === 0
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
      <OfficeMessageButton />
    </div>
  )
}
