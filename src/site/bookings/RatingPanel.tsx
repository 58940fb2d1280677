import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  COMPLIMENTS,
  type Compliment,
  MAX_RATING_COMMENT_LENGTH,
  MIN_PRAISING_RATING,
} from '~/domain/booking/feedback'
import { findWordsProblem, normalizeWords } from '~/domain/language/words'
import { advanceBooking } from '~/src/features/bookings/bookings'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Button, TextArea } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './RatingPanel.module.css'
import type { Booking } from '~/domain/booking/types'

const STARS = [1, 2, 3, 4, 5] as const

const StarChoice = ({ value, onChange }: { value: number; onChange: (stars: number) => void }) => {
  const { t } = useTranslation()
  return (
    <fieldset className={css.stars}>
      <legend>{t('rate_title')}</legend>
      {STARS.map((star) => (
        <label key={star} data-lit={star <= value || undefined}>
          <input
            type="radio"
            name="rating"
            checked={value === star}
            onChange={() => onChange(star)}
          />
          <span className="visually-hidden">{t('rate_stars', { count: star })}</span>
          <Icon name="star" size={36} />
        </label>
      ))}
    </fieldset>
  )
}

const ComplimentChoices = ({
  chosenCompliments,
  onChange,
}: {
  chosenCompliments: readonly Compliment[]
  onChange: (compliments: Compliment[]) => void
}) => {
  const { t } = useTranslation()
  return (
    <fieldset className={css.compliments}>
      <legend>{t('rate_compliments')}</legend>
      {COMPLIMENTS.map((one) => (
        <label key={one}>
          <input
            type="checkbox"
            checked={chosenCompliments.includes(one)}
            onChange={({ target }) =>
              onChange(
                target.checked
                  ? [...chosenCompliments, one]
                  : chosenCompliments.filter((other) => other !== one),
              )
            }
          />
          {t(`compliment_${one}`)}
        </label>
      ))}
    </fieldset>
  )
}

/** Lets the rider give the driver one to five stars, compliments and a comment. */
export const RatingPanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [rating, setRating] = useState(0)
  const [compliments, setCompliments] = useState<Compliment[]>([])
  const [comment, setComment] = useState('')
  const { busy, run } = useSingleRun({ isLast: true })
  const problem = findWordsProblem(normalizeWords(comment), 'remark')
  const isPraising = rating >= MIN_PRAISING_RATING
  const send = () => {
    const words = {
      ...(isPraising && compliments.length > 0 && { compliments }),
      ...(comment.trim() && { comment }),
    }
    run(async () => {
      const ratingEvent = { booking_id: booking.id, event: 'rate', rating, ...words } as const
      await dispatch(advanceBooking(ratingEvent)).unwrap()
      dispatch(noticeRaised({ tone: 'success', text: 'rated_thanks' }))
      // The operation's own notice shows a refusal.
    }).catch(() => undefined)
  }
  return (
    <section className={css.panel}>
      <StarChoice value={rating} onChange={setRating} />
      {isPraising && (
        <ComplimentChoices chosenCompliments={compliments} onChange={setCompliments} />
      )}
      {rating > 0 && (
        <TextArea
          label={t('rate_comment')}
          hint={t('rate_comment_hint')}
          rows={2}
          maxLength={MAX_RATING_COMMENT_LENGTH}
          value={comment}
          error={problem && t(problem)}
          onChange={({ target }) => setComment(target.value)}
        />
      )}
      <Button
        variant="primary"
        disabled={rating === 0 || problem !== undefined}
        busy={busy}
        onClick={send}
      >
        {t('rate_send')}
      </Button>
    </section>
  )
}
