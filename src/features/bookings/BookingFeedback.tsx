import { useTranslation } from 'react-i18next'
import { getFeedback } from '~/domain/booking/feedback'
import { useFormat } from '~/src/ui/format/format'
import type { Booking } from '~/domain/booking/types'

/** Shows the customer's stars, compliments and comment; nothing before the rating. */
export const BookingFeedback = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const feedback = getFeedback(booking)
  if (!feedback) return null
  const { rating, compliments, comment } = feedback
  const words = compliments.map((one) => t(`compliment_${one}`))
  return (
    <>
      {[`★ ${format.number(rating)}`, ...words].join(' · ')}
      {comment && (
        <>
          <br />
          <q className="typed">{comment}</q>
        </>
      )}
    </>
  )
}
