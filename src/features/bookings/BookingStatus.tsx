import { useTranslation } from 'react-i18next'
import type { Status } from '~/domain/booking/types'
import { StatusChip, type Tone } from '~/src/ui/feedback/StatusChip'

const TONES: Record<Status, Tone> = {
  PAYMENT_PENDING: 'warning',
  NEW: 'news',
  ACCEPTED: 'primary',
  ARRIVED: 'primary',
  STARTED: 'primary',
  REACHED: 'primary',
  PENDING: 'warning',
  PAID: 'success',
  COMPLETE: 'success',
  CANCELLED: 'danger',
}

/** Shows the status of a booking as a colored label. */
export const BookingStatus = ({ status }: { status: Status }) => {
  const { t } = useTranslation()
  return <StatusChip tone={TONES[status]}>{t(`status_${status}`)}</StatusChip>
}
