import { useTranslation } from 'react-i18next'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'

export interface BookedTrip {
  id: string
  reference: string
}

/** Shows the reference of the created booking, and where to go from here. */
export const BookedDialog = ({ booked, onAgain }: { booked: BookedTrip; onAgain: () => void }) => {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('booking_success_office')}
      actions={
        <>
          <Button onClick={onAgain}>{t('book_another')}</Button>
          <ButtonLink to={screenPaths.bookings}>{t('menu_bookings')}</ButtonLink>
          <ButtonLink variant="primary" to={screenPaths.watchedBooking(booked.id)}>
            {t('watch_on_board')}
          </ButtonLink>
        </>
      }
    >
      <p>{t('booking_success', { id: booked.reference })}</p>
    </Dialog>
  )
}
