import type { TFunction } from 'i18next'
import type { AmendableField } from '~/domain/booking/events/amend/definition'

/**
 * Returns why a booking was canceled: translates the system's reason keys and leaves a person's
 * words unchanged.
 */
export const translateReason = (reason: string, t: TFunction): string =>
  t(`reason_${reason}`, { defaultValue: '' }) || reason

/**
 * Returns why a fare has its amount: the driven track, a payment, or a cancellation reason, which
 * `getReason` translates.
 */
export const translateFareCause = (
  cause: string,
  t: TFunction,
  getReason: (reason: string) => string,
): string => t(`cause_${cause}`, { defaultValue: '' }) || getReason(cause)

export const AMENDED_LABELS: Record<AmendableField, string> = {
  pickup: 'pickup',
  drop: 'drop',
  waypoints: 'stops',
  tripdate: 'trip_date',
  carType: 'car_type',
  deliveryPerson: 'deliveryPerson',
  deliveryPersonPhone: 'deliveryPersonPhone',
  pickUpInstructions: 'pickUpInstructions',
  deliveryInstructions: 'deliveryInstructions',
}

/** Returns what an amendment changed, from its field names separated by commas. */
export const translateAmendedFields = (changes: string, t: TFunction): string =>
  changes
    .split(',')
    .map((field) => (field in AMENDED_LABELS ? t(AMENDED_LABELS[field as AmendableField]) : field))
    .join(' · ')
