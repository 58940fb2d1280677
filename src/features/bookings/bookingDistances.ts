import { useTranslation } from 'react-i18next'
import type { DescriptionItem } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import type { Booking } from '~/domain/booking/types'
import type { Seconds } from '~/domain/language/units'

/**
 * Returns the distances and times of a booking in words: planned, driven and charged for a metered
 * booking, otherwise one.
 */
export const useDistanceItems = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const both = (distance: number, seconds: Seconds | undefined): string =>
    [format.distance(distance), ...(seconds === undefined ? [] : [format.duration(seconds)])].join(
      ' · ',
    )
  return (booking: Booking): DescriptionItem[] => {
    const { distance, driven_distance, estimateDistance, estimateTime, total_trip_time } = booking
    // Without a track, the driven time would stand beside a distance that was not driven.
    if (driven_distance === undefined) return [[t('distance'), both(distance, estimateTime)]]
    return [
      [t('distance_planned'), both(estimateDistance, estimateTime)],
      [t('distance_driven'), both(driven_distance, total_trip_time)],
      [t('distance_charged'), both(distance, booking.distance_review?.charged_time)],
    ]
  }
}

/** Explains why the charged distance differs from the driven one; null when they are equal. */
export const useDistanceNote = () => {
  const { t } = useTranslation()
  return ({ distance_review: review }: Booking): string | null => {
    if (!review || review.verdict === 'ok') return null
    if (review.decision !== undefined)
      // The rider has already paid; the credit concerns only the driver and the platform.
      return t(`review_decided_${review.credited === undefined ? review.decision : 'keep'}`)
    return t(`review_note_${review.verdict}`)
  }
}
