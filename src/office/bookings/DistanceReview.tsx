import { useTranslation } from 'react-i18next'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { Button } from '~/src/ui/controls'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { PersonName } from '../people/PersonName'
import { useOpenBookingDialog } from './BookingDialogs'
import css from './bookings.module.css'
import { isReviewOpen } from '~/domain/booking/events/review/openReview'
import type { Booking } from '~/domain/booking/types'

/** Shows the result of the distance check, its reasons and the decision of the back office. */
export const DistanceReview = ({ booking, isAdmin }: { booking: Booking; isAdmin: boolean }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const ask = useOpenBookingDialog()
  const getDistanceItems = useDistanceItems()
  const note = useDistanceNote()(booking)
  const review = booking.distance_review
  if (!review) return null
  const {
    verdict,
    reasons = [],
    dropped_points,
    decision,
    decided_by,
    decided_at,
    credited,
  } = review
  return (
    <>
      <DescriptionList
        className={css.facts}
        facts={[
          ...getDistanceItems(booking),
          [t('review_verdict'), t(`review_verdict_${verdict}`)],
          [t('review_dropped'), dropped_points > 0 && format.number(dropped_points)],
          [t('review_decision'), decision && t(`review_choice_${decision}`)],
          [t('review_decided_by'), decided_by && <PersonName id={decided_by} />],
          [t('review_decided_at'), decided_at !== undefined && <DateTime at={decided_at} />],
          [t('review_credited'), credited !== undefined && format.money(credited)],
        ]}
      />
      {Object.values(reasons).length > 0 && (
        <ul className={css.why}>
          {Object.values(reasons).map((reason) => (
            <li key={reason}>{t(`trip_reason_${reason}`)}</li>
          ))}
        </ul>
      )}
      {note && <p className={css.muted}>{note}</p>}
      {isAdmin && isReviewOpen(booking) && (
        <div className={css.buttons}>
          <Button variant="primary" onClick={() => ask('review', booking.id)}>
            {t('review_decide')}
          </Button>
        </div>
      )}
    </>
  )
}
