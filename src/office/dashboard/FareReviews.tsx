import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { liveBooking, fareReviews } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { useOpenBookingDialog } from '../bookings/BookingDialogs'
import { BookingLine } from '../bookings/row/BookingLine'
import css from './dashboard.module.css'
import type { Booking, FareReview } from '~/domain/booking/types'

/** Maximum number of reviews counted and of bookings read; each booking is read whole. */
const MAX_COUNTED = 100
const MAX_LISTED = 6

const ReviewFacts = ({
  booking: { driver_name, driven_distance, estimateDistance },
}: {
  booking: Booking
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <bdi>{driver_name}</bdi>
      {driven_distance !== undefined && (
        <small>
          {t('review_distances', {
            driven: format.distance(driven_distance),
            planned: format.distance(estimateDistance),
          })}
        </small>
      )}
    </>
  )
}

const FareReviewRow = ({ review: { id, at } }: { review: FareReview & { id: string } }) => {
  const { t } = useTranslation()
  const ask = useOpenBookingDialog()
  const { booking } = useLive(liveBooking, id)
  const place = booking?.pickupAddress || booking?.reference || '—'
  const button = (
    <Button
      size="small"
      aria-label={t('review_booking', { place })}
      onClick={() => ask('review', id)}
    >
      {t('review_decide')}
    </Button>
  )
  if (!booking)
    return (
      <li>
        <Link to={`${screenPaths.bookings}?open=${id}`}>{place}</Link>
        {button}
      </li>
    )
  return (
    <BookingLine
      booking={{ ...booking, id }}
      at={at}
      facts={<ReviewFacts booking={booking} />}
      actions={button}
    />
  )
}

/** Lists the flagged bookings that wait for a decision; renders nothing when none exist. */
export const FareReviews = () => {
  const { t } = useTranslation()
  const { reviews, error, retry } = useLive(fareReviews, MAX_COUNTED)
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  if (reviews.length === 0) return null
  return (
    <section className={css.box} aria-labelledby="fare-reviews">
      <h2 id="fare-reviews">
        {t('fare_reviews')} <span className={css.count}>{reviews.length}</span>
      </h2>
      <ul role="list" className={css.waiting}>
        {reviews.slice(0, MAX_LISTED).map((review) => (
          <FareReviewRow key={review.id} review={review} />
        ))}
      </ul>
    </section>
  )
}
