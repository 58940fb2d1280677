import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { bookingOffers } from '~/src/features/offers/offers'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { WhyNotDriver } from '../offers/WhyNotDriver'
import { PersonName } from '../people/PersonName'
import { useOfficeSession } from '../useOfficeSession'
import { OfferReasons } from './OfferReasons'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './bookings.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'

const SECOND = 1000

/** Shows the seconds left to answer an open offer; afterwards, that the driver is late. */
export const OfferTimer = ({
  expires,
  isShort = false,
}: {
  expires: number
  /** True where there is room for a few words only. */
  isShort?: boolean
}) => {
  const { t } = useTranslation()
  const [now, setNow] = useState(Date.now)
  const isOver = now >= expires
  useEffect(() => {
    if (isOver) return undefined
    const timer = setInterval(() => setNow(Date.now()), SECOND)
    return () => clearInterval(timer)
  }, [isOver])
  return (
    <span role="timer">
      {isOver
        ? t(isShort ? 'offer_late_short' : 'offer_late')
        : t('offer_seconds_left', { seconds: Math.ceil((expires - now) / SECOND) })}
    </span>
  )
}

/** Shows a button that explains why the driver was chosen, and the reasons. */
const OfferExplanation = ({ booking, offer }: { booking: string; offer: string }) => {
  const { t } = useTranslation()
  const [isExplained, setIsExplained] = useState(false)
  return (
    <>
      <div className={css.buttons}>
        <Button
          size="small"
          aria-expanded={isExplained}
          onClick={() => setIsExplained(!isExplained)}
        >
          {t('offer_why')}
        </Button>
      </div>
      {isExplained && <OfferReasons booking={booking} offer={offer} />}
    </>
  )
}

const OfferRow = ({ booking, offer }: { booking: Booking; offer: Offer & { id: string } }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const { busy, run } = useSingleRun()
  const { driver, at, expires, eta_s, by, answer, answeredAt, cost } = offer
  const withdraw = async () => {
    if (!canOrNotify('booking_assign')) return
    const input = { booking_id: booking.id, event: 'withdraw', driver } as const
    const result = await run(() => dispatch(advanceBooking(input)))
    if (result && advanceBooking.fulfilled.match(result)) notify('event_withdraw')
  }
  return (
    <li>
      <strong>
        <PersonName id={driver} />
      </strong>
      <span>
        <DateTime at={at} /> · {t(by === 'admin' ? 'by_office' : 'by_system')}
        {eta_s > 0 && ` · ${t('offer_way', { time: format.duration(eta_s) })}`}
      </span>
      {answer ? (
        <span>
          {t(`offer_${answer}`)}
          {answeredAt !== undefined && (
            <>
              {' · '}
              <DateTime at={answeredAt} />
            </>
          )}
        </span>
      ) : (
        <>
          <OfferTimer expires={expires} />
          {booking.requestedDrivers?.[driver] && (
            <div className={css.buttons}>
              <Button busy={busy} onClick={() => void withdraw()}>
                {t('offer_withdraw')}
              </Button>
            </div>
          )}
        </>
      )}
      {cost !== undefined && <OfferExplanation booking={booking.id} offer={offer.id} />}
    </li>
  )
}

/**
 * Shows which drivers were asked to take the booking, newest first, with the time left or the
 * answer, and withdraws an open request. Only admins may read all offers.
 */
export const BookingOffers = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { offers, loading, error, retry } = useLive(bookingOffers, booking.id)
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  if (loading && offers.length === 0) return <SkeletonLines lines={2} />
  if (offers.length === 0) return <p className={css.muted}>{t('offers_none')}</p>
  return (
    <>
      <ol className={css.timeline}>
        {offers.map((offer) => (
          <OfferRow key={offer.id} booking={booking} offer={offer} />
        ))}
      </ol>
      <WhyNotDriver booking={booking.id} />
    </>
  )
}
