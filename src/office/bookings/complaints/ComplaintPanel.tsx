import { useTranslation } from 'react-i18next'
import { sendReceipt } from '~/src/features/bookings/complaints'
import { translateReason } from '~/src/i18n/reasonTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useOfficeSession } from '../../useOfficeSession'
import details from '../bookings.module.css'
import { BookingNotes } from './BookingNotes'
import { ComplaintForm } from './ComplaintForm'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './complaints.module.css'
import type { Booking } from '~/domain/booking/types'
import { COMPLAINT_REASONS } from '~/domain/money/types'
import type { Settings } from '~/domain/catalog/types'

const isComplaintReason = (cause: string) =>
  (COMPLAINT_REASONS as readonly string[]).includes(cause)

interface SettledComplaint {
  id: string
  at: number
  reason: string
  rider?: number | undefined
  driver?: number | undefined
  card?: number
}

/** Returns what earlier complaints moved in wallets and returned to the card, oldest first. */
const getSettledComplaints = ({ adjustments = {}, fare_history }: Booking): SettledComplaint[] => {
  const refunds = Object.entries(fare_history)
    .filter(([, { kind, cause }]) => kind === 'refund' && isComplaintReason(cause))
    .map(([id, { at, cause, total }]) => ({ id, at, reason: cause, card: -total }))
  return Object.entries(adjustments)
    .filter(([, { reason }]) => reason !== 'tip')
    .map(([id, one]): SettledComplaint => ({ id, ...one }))
    .concat(refunds)
    .sort((a, b) => a.at - b.at)
}

/** Lists what was given and taken back for earlier complaints. */
const SettledComplaints = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = getSettledComplaints(booking)
  if (rows.length === 0) return null
  return (
    <ol className={details.timeline} aria-label={t('complaints_settled')}>
      {rows.map(({ id, at, reason, rider, driver, card }) => (
        <li key={id}>
          <strong>{translateReason(reason, t)}</strong>
          <span>
            <DateTime at={at} />
            {rider !== undefined && ` · ${t('customer')}: ${format.money(rider)}`}
            {driver !== undefined && ` · ${t('driver')}: ${format.money(driver)}`}
            {card !== undefined && ` · ${t('fare_refund')}: ${format.money(card)}`}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Sends the receipt again. A repeated press after a lost response sends nothing more. */
const ReceiptButton = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { canOrNotify, notify } = useOfficeSession()
  const { getKey, reset } = useIdempotencyKey()
  const { busy, run } = useSingleRun()
  const send = async () => {
    if (!canOrNotify('receipt_send')) return
    await run(async () => {
      const request_id = await getKey({ receipt: booking.id })
      // The operation itself reports its errors.
      const result = await dispatch(sendReceipt({ booking_id: booking.id, request_id }))
      if (!sendReceipt.fulfilled.match(result)) return
      notify('receipt_sent_again')
      reset()
    })
  }
  return (
    <Button busy={busy} onClick={() => void send()}>
      {t('receipt_send_again')}
    </Button>
  )
}

/** Settles complaints about a booking that has ended, and shows the office's notes about it. */
export const ComplaintPanel = ({ booking, settings }: { booking: Booking; settings: Settings }) => (
  <div className={css.panel}>
    <SettledComplaints booking={booking} />
    <ComplaintForm booking={booking} settings={settings} />
    {booking.status !== 'CANCELLED' && (
      <div className={css.buttons}>
        <ReceiptButton booking={booking} />
      </div>
    )}
    <BookingNotes booking={booking.id} />
  </div>
)
