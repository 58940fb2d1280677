import { useTranslation } from 'react-i18next'
import { getPlatformPart, type ComplaintForm } from '~/domain/forms/complaintForms'
import { translateReason } from '~/src/i18n/reasonTexts'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { useFormat } from '~/src/ui/format/format'
import details from '../bookings.module.css'
import type { Booking } from '~/domain/booking/types'

/** Shows what each party gets before money moves. */
export const ComplaintPreview = ({
  booking,
  values,
  decimal,
  onConfirm,
  onClose,
}: {
  booking: Booking
  values: ComplaintForm
  decimal: number
  onConfirm: () => Promise<void>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { reason, text, rider, card, driver, take_back } = values
  const money = (amount: number | null | undefined) =>
    amount ? <bdi>{`${amount > 0 ? '+' : ''}${format.money(amount)}`}</bdi> : null
  return (
    <ConfirmDialog
      title={t('complaint_question')}
      confirm={t('complaint_settle')}
      danger={Boolean(take_back)}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <DescriptionList
        className={details.facts}
        facts={[
          [booking.customer_name || t('customer'), money(rider)],
          [t('complaint_card'), money(card)],
          [booking.driver_name || t('driver'), money(driver ?? (take_back ? -take_back : null))],
          [t('complaint_platform'), money(getPlatformPart(values, decimal))],
          [t('reason'), translateReason(reason, t)],
        ]}
      />
      {text && <p dir="auto">{text}</p>}
    </ConfirmDialog>
  )
}
