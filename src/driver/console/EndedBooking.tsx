import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { Button } from '~/src/ui/controls'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { Address } from '~/src/ui/format/address'
import { Money, useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { useServerNow } from '../serverTime'
import { useRecentBookings } from '../currentBookings'
import { DotSeparatedList } from './DotSeparatedList'
import css from './EndedBooking.module.css'
import type { Booking } from '~/domain/booking/types'

const FinishedBooking = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const getDistanceItems = useDistanceItems()
  const note = useDistanceNote()(booking)
  const { distance, driven_distance, estimateTime, cashPaymentAmount } = booking
  const isMetered = driven_distance !== undefined
  const facts = [
    ...(isMetered ? [] : [format.distance(distance), format.duration(estimateTime)]),
    ...(cashPaymentAmount ? [t('finished_cash', { amount: format.money(cashPaymentAmount) })] : []),
  ]
  return (
    <section className={css.ended} aria-label={t('finished_title')}>
      <span className={css.tick}>
        <Icon name="check" size={34} />
      </span>
      <h2>{t('finished_title')}</h2>
      <p>
        {t('finished_share')}
        <strong>
          <Money amount={booking.driver_share} />
        </strong>
      </p>
      {facts.length > 0 && (
        <p className={css.facts}>
          <DotSeparatedList parts={facts} />
        </p>
      )}
      {isMetered && <DescriptionList facts={getDistanceItems(booking)} className={css.distances} />}
      {note && <p className={css.note}>{note}</p>}
      <Button variant="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** Shows the driver's booking that someone else canceled. */
const CanceledBooking = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  const getReason = useReasonText()
  return (
    <section className={css.ended} aria-labelledby="cancelled-title">
      <span className={css.cross}>
        <Icon name="close" size={34} />
      </span>
      <h2 id="cancelled-title">{t('push_cancelled_title')}</h2>
      <p className="typed">
        <Address value={booking.pickupAddress} />
      </p>
      {booking.reason && (
        <p className={`${css.facts} typed`}>
          {t('push_cancelled_msg', { reason: getReason(booking.reason) })}
        </p>
      )}
      <Button variant="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** Shows how a booking ended until the driver is ready for the next one. */
export const EndedBooking = (props: { booking: Booking; onNext: () => void }) =>
  props.booking.paid_at === undefined ? (
    <CanceledBooking {...props} />
  ) : (
    <FinishedBooking {...props} />
  )

/** Returns when a booking ended, in ms, or undefined when the driver ended it. */
const getEndTime = ({ paid_at, cancelled_at, cancelledBy }: Booking): number | undefined =>
  paid_at ?? (cancelledBy === 'driver' ? undefined : cancelled_at)

/** Milliseconds during which an ended booking is shown. */
const RECENTLY_ENDED_MS = 10 * 60_000
const DISMISSED_STORAGE_KEY = 'kerbside.finished-read'

/** Returns the booking that has just ended until the driver dismisses it. */
export const useEndedBooking = (): [Booking | null, () => void] => {
  const { recent } = useRecentBookings()
  const now = useServerNow(60_000)
  const [read, setRead] = useState(() => readPreference(DISMISSED_STORAGE_KEY))
  const newest = recent
    .filter((booking) => now - (getEndTime(booking) ?? 0) < RECENTLY_ENDED_MS)
    .sort((a, b) => (getEndTime(b) ?? 0) - (getEndTime(a) ?? 0))[0]
  const dismiss = () => {
    if (!newest) return
    savePreference(DISMISSED_STORAGE_KEY, newest.id)
    setRead(newest.id)
  }
  return [newest && newest.id !== read ? newest : null, dismiss]
}
