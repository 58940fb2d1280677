import { useTranslation } from 'react-i18next'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import css from './BookingSuccessDialog.module.css'

/** Says that a booking was successful, with its reference, and leads to the rider's bookings. */
export const BookingSuccessDialog = ({
  reference,
  onClose,
}: {
  reference: string
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('success_title')}
      onClose={onClose}
      actions={
        <ButtonLink variant="primary" size="large" wide to={screenPaths.bookings}>
          {t('to_my_bookings')}
        </ButtonLink>
      }
    >
      <p className={css.success}>
        <Icon name="check" size={28} />
        <span>{t('booking_success', { id: reference })}</span>
      </p>
      <p>{t('booking_success_text')}</p>
    </Dialog>
  )
}
