import { useTranslation } from 'react-i18next'
import { getFeedback } from '~/domain/booking/feedback'
import { Rating } from '~/src/ui/format/values'
import type { Booking } from '~/domain/booking/types'

/** Shows the customer's stars, compliments and comment; nothing before the rating. */
export const BookingFeedback = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const feedback = getFeedback(booking)
  if (!feedback) return null
  const { rating, compliments, comment } = feedback
  const words = compliments.map((one) => t(`compliment_${one}`))
  return (
    <>
      <Rating value={rating} />
      {words.map((word) => ` · ${word}`)}
      {comment && (
        <>
          <br />
          <q className="typed">{comment}</q>
        </>
      )}
    </>
  )
}
