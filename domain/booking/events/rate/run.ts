import { domainError } from '../../../api/errors'
import { roundAmount } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { toJson } from '../../../data/databaseValue'
import { COMPLIMENTS, MIN_PRAISING_RATING } from '../../feedback'
import { keepWords } from '../../eventWords'
import { createEventDraft } from '../../changeDraft'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs } from '../../eventArgs'

/** Returns the mean of the ratings, to one decimal. */
export const calculateAverageRating = (rates: readonly number[]): number =>
  rates.length === 0 ? 0 : roundAmount(rates.reduce((a, b) => a + b, 0) / rates.length, 1)

/** Records the customer's rating of the driver and completes the booking. */
export const rateDriver = (
  args: EventArgs<'rate'>,
  { rating, compliments = [], comment }: EventInputFor<'rate'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context } = args
  if (!Number.isInteger(rating) || rating < 1 || rating > 5)
    return err(domainError('rating_invalid', 'rating'))
  if (compliments.length > 0 && rating < MIN_PRAISING_RATING)
    return err(domainError('bad_input', 'compliments'))
  const ref = COMPLIMENTS.filter((one) => compliments.includes(one)).join(',')
  const draft = createEventDraft(args, 'rate', 'COMPLETE', {
    ref,
    words: keepWords(booking, context, comment),
  })
  draft.setFields({ rating })
  const { driver } = context
  if (driver) {
    const ratings = `${dbPaths.user(driver.id)}/ratings`
    const rates = Object.values(driver.ratings?.details ?? {}).map((detail) => detail.rate)
    draft.set(`${ratings}/userrating`, calculateAverageRating([...rates, rating]))
    draft.set(`${ratings}/count`, rates.length + 1)
    draft.set(`${ratings}/details/${booking.id}`, toJson({ user: actor.uid, rate: rating }))
    draft.notify('rated', 'driver', driver.id, { rating })
  }
  return ok(draft.done())
}
