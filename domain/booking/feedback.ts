import type { Booking } from './types'

/** The praise that a customer can give with a rating of at least `MIN_PRAISING_RATING` stars. */
export const COMPLIMENTS = [
  'friendly',
  'safe_driving',
  'clean_vehicle',
  'on_time',
  'helpful',
] as const
export type Compliment = (typeof COMPLIMENTS)[number]
export const MIN_PRAISING_RATING = 4
export const MAX_RATING_COMMENT_LENGTH = 500

/** A rating with what the customer said about it. */
export interface Feedback {
  /** One to five stars. */
  rating: number
  compliments: Compliment[]
  comment?: string
}

const isCompliment = (text: string): text is Compliment =>
  (COMPLIMENTS as readonly string[]).includes(text)

/** Returns the customer's feedback; null before the rating. */
export const getFeedback = ({
  rating,
  event_log,
  words = {},
}: Pick<Booking, 'rating' | 'event_log' | 'words'>): Feedback | null => {
  if (!rating) return null
  const { ref = '' } = event_log.rate ?? {}
  const comment = words['rate']
  return {
    rating,
    compliments: ref.split(',').filter(isCompliment),
    ...(comment && { comment }),
  }
}
