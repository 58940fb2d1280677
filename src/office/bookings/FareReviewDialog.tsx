import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { subtractAmount } from '~/domain/money/money'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useDistanceItems } from '~/src/features/bookings/bookingDistances'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useOfficeSession } from '../useOfficeSession'
import css from './bookings.module.css'
import { quoteReviewedFare } from '~/domain/booking/events/review/reviewedFare'
import { REVIEW_DECISIONS, type Booking, type ReviewDecision } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Returns true once the rider has paid, so that only the driver's part can change. */
const isPaid = ({ paid_at, paymentPacket }: Booking): boolean =>
  paid_at !== undefined || paymentPacket !== undefined

/** Asks for a decision; each says what it leads to. */
const DecisionChoice = ({
  booking,
  settings,
  decision,
  onChoose,
}: {
  booking: Booking
  settings: Settings
  decision: ReviewDecision | null
  onChoose: (decision: ReviewDecision) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { cars } = useLive(liveVehicleTypes)
  const carType = cars.find(({ id }) => id === booking.carTypeId) ?? null
  /**
   * Returns a text with the amount that a decision leads to; null when the decision changes
   * nothing.
   */
  const getOutcome = (choice: ReviewDecision): string | null => {
    if (choice === 'keep') return format.money(booking.trip_cost)
    const priced = quoteReviewedFare(booking, choice, settings, carType)
    if (!priced) return null
    if (!isPaid(booking)) return format.money(priced.estimateFare)
    const more = subtractAmount(priced.driver_share, booking.driver_share, settings.decimal)
    return t('review_credit', { amount: format.money(more) })
  }
  return (
    <fieldset className={css.reasons}>
      <legend>{t('review_question')}</legend>
      {REVIEW_DECISIONS.map((choice) => [choice, getOutcome(choice)] as const)
        .filter(([, outcome]) => outcome !== null)
        .map(([choice, outcome]) => (
          <label key={choice}>
            <input
              type="radio"
              name="decision"
              checked={decision === choice}
              onChange={() => onChoose(choice)}
            />
            <span>
              {t(`review_choice_${choice}`)} · {outcome}
            </span>
          </label>
        ))}
    </fieldset>
  )
}

/**
 * Lets the back office decide the fare of a flagged booking. No choice is preselected, because each
 * is final.
 */
export const FareReviewDialog = ({
  booking,
  settings,
  onClose,
}: {
  booking: Booking
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { notify } = useOfficeSession()
  const { loading } = useLive(liveVehicleTypes)
  const getDistanceItems = useDistanceItems()
  const [decision, setDecision] = useState<ReviewDecision | null>(null)
  const [isMissing, setMissing] = useState(false)
  const { busy, refused, submit } = useSubmission()
  const decide = async () => {
    setMissing(decision === null)
    if (decision === null) return
    const review = { booking_id: booking.id, event: 'review', decision } as const
    if (!(await submit(() => dispatch(advanceBooking.quiet(review)).unwrap()))) return
    notify('review_done')
    onClose()
  }
  return (
    <Dialog
      title={t('fare_review_title')}
      onClose={onClose}
      problem={<Refusal error={refused}>{isMissing && t('review_choose')}</Refusal>}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={busy} disabled={loading} onClick={() => void decide()}>
            {t('review_save')}
          </Button>
        </>
      }
    >
      <DescriptionList className={css.facts} facts={getDistanceItems(booking)} />
      {loading ? (
        <SkeletonLines lines={3} height="2.5rem" />
      ) : (
        <DecisionChoice {...{ booking, settings, decision }} onChoose={setDecision} />
      )}
      <p className={css.muted}>{t(isPaid(booking) ? 'review_after_paid' : 'review_before_paid')}</p>
    </Dialog>
  )
}
