import { useTranslation } from 'react-i18next'
import type { Status } from '~/domain/entities'
import { StatusChip, type Tone } from '~/src/ui/controls'

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

/** Where a booking stands, in words and colour. */
export const BookingStatus = ({ status }: { status: Status }) => {
  const { t } = useTranslation()
  return <StatusChip tone={TONES[status]}>{t(`status_${status}`)}</StatusChip>
}
