import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { reasonOf } from '~/src/i18n/reasons'
import { Button } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { remember } from '~/src/ui/remember'
import { useServerNow } from '../clock'
import { useRecent } from '../current'
import { Dotted } from './Dotted'
import css from './Ended.module.css'

const Finished = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { distance, total_trip_time, cashPaymentAmount } = booking
  const facts = [
    format.distance(distance),
    ...(total_trip_time === undefined ? [] : [format.duration(total_trip_time)]),
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
      <p className={css.facts}>
        <Dotted parts={facts} />
      </p>
      <Button look="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** What the driver was on, and what somebody else gave up. */
const Cancelled = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  return (
    <section className={css.ended} aria-labelledby="cancelled-title">
      <span className={css.cross}>
        <Icon name="close" size={34} />
      </span>
      <h2 id="cancelled-title">{t('push_cancelled_title')}</h2>
      <p className="typed">{booking.pickupAddress}</p>
      {booking.reason && (
        <p className={`${css.facts} typed`}>
          {t('push_cancelled_msg', { reason: reasonOf(booking.reason, t) })}
        </p>
      )}
      <Button look="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** How a booking ended, until the driver is ready for the next one. */
export const Ended = (props: { booking: Booking; onNext: () => void }) =>
  props.booking.paid_at === undefined ? <Cancelled {...props} /> : <Finished {...props} />

/** When a booking ended, ms, unless by the driver's own hand. */
const endOf = ({ paid_at, cancelled_at, cancelledBy }: Booking): number | undefined =>
  paid_at ?? (cancelledBy === 'driver' ? undefined : cancelled_at)

/** A booking is told as ended for so long. */
const JUST_MS = 10 * 60_000
const DISMISSED = 'kerbside.finished-read'

/** The booking that ended a moment ago, until the driver has read how. */
export const useEnded = (): [Booking | null, () => void] => {
  const { recent } = useRecent()
  const now = useServerNow(60_000)
  const [read, setRead] = useState(() => localStorage.getItem(DISMISSED))
  const newest = recent
    .filter((booking) => now - (endOf(booking) ?? 0) < JUST_MS)
    .sort((a, b) => (endOf(b) ?? 0) - (endOf(a) ?? 0))[0]
  const dismiss = () => {
    if (!newest) return
    remember(DISMISSED, newest.id)
    setRead(newest.id)
  }
  return [newest && newest.id !== read ? newest : null, dismiss]
}
