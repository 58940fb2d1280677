import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './RatingPanel.module.css'

const STARS = [1, 2, 3, 4, 5] as const

/** Lets the rider give the driver one to five stars. */
export const RatingPanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [rating, setRating] = useState(0)
  const [busy, setBusy] = useState(false)
  const send = () => {
    setBusy(true)
    dispatch(advanceBooking({ booking_id: booking.id, event: 'rate', rating }))
      .unwrap()
      .then(
        () => dispatch(noticeRaised({ tone: 'success', text: 'rated_thanks' })),
        () => setBusy(false),
      )
  }
  return (
    <section className={css.panel}>
      <fieldset className={css.stars}>
        <legend>{t('rate_title')}</legend>
        {STARS.map((star) => (
          <label key={star} data-lit={star <= rating || undefined}>
            <input
              type="radio"
              name="rating"
              checked={rating === star}
              onChange={() => setRating(star)}
            />
            <span className="visually-hidden">{t('rate_stars', { count: star })}</span>
            <Icon name="star" size={36} />
          </label>
        ))}
      </fieldset>
      <Button variant="primary" disabled={rating === 0} busy={busy} onClick={send}>
        {t('rate_send')}
      </Button>
    </section>
  )
}
