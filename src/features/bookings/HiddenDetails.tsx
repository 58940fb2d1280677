import { INSTRUCTION_FIELDS } from '~/domain/booking/contactAccess'
import { useBookingContacts } from './bookingContacts'
import type { Booking } from '~/domain/booking/types'

const PHONE_FIELD = ['deliveryPersonPhone'] as const

/** Shows the recipient's phone to users who may see it. `shown` formats it. */
export const RecipientPhone = ({
  booking,
  shown: formatPhone = (phone) => phone,
}: {
  booking: Booking
  shown?: (phone: string) => string
}) => {
  const { deliveryPersonPhone: phone } = useBookingContacts(booking, PHONE_FIELD)
  const text = phone || booking.deliveryPerson ? formatPhone(phone ?? '') : ''
  return text && <bdi dir="ltr">{text}</bdi>
}

/** Shows the instructions for the pickup or the drop-off to users who may see them. */
export const Instructions = ({
  booking,
  field,
}: {
  booking: Booking
  field: (typeof INSTRUCTION_FIELDS)[number]
}) => useBookingContacts(booking, INSTRUCTION_FIELDS)[field] ?? null
