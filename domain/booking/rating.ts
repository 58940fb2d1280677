import { refusal } from '../errors'
import { round } from '../money'
import { at } from '../paths'
import { err, ok, type Result } from '../result'
import type { BookingRefusal, Change, InputOf } from './change'
import { draftOf, plain, type Step } from './draft'

/** The mean of the rates, one decimal. */
export const averageRate = (rates: readonly number[]): number =>
  rates.length === 0 ? 0 : round(rates.reduce((a, b) => a + b, 0) / rates.length, 1)

/** The customer rates his driver, and the booking is complete. */
export const rate = (step: Step, { rating }: InputOf<'rate'>): Result<Change, BookingRefusal> => {
  const { booking, actor, world } = step
  if (!Number.isInteger(rating) || rating < 1 || rating > 5)
    return err(refusal('rating_invalid', 'rating'))
  const draft = draftOf(step, 'rate', 'COMPLETE')
  draft.book({ rating })
  const { driver } = world
  if (driver) {
    const ratings = `${at.user(driver.id)}/ratings`
    const rates = Object.values(driver.ratings?.details ?? {}).map((detail) => detail.rate)
    draft.set(`${ratings}/userrating`, averageRate([...rates, rating]))
    draft.set(`${ratings}/count`, rates.length + 1)
    draft.set(`${ratings}/details/${booking.id}`, plain({ user: actor.uid, rate: rating }))
    draft.tell(driver.id, 'rated', { rating })
  }
  return ok(draft.done())
}
