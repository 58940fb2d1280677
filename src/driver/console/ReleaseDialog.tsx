import { useTranslation } from 'react-i18next'
import { ReasonDialog } from '~/src/features/cancellationReasons/ReasonDialog'

/** Asks the driver why they release the booking, with the configured reasons. */
export const ReleaseDialog = ({
  onRelease,
  onClose,
}: {
  /** Receives the reason; the outbox sends the event. */
  onRelease: (reason: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  return (
    <ReasonDialog
      isLarge
      title={t('give_up_title')}
      confirm={t('give_up')}
      intro={<p>{t('give_up_text')}</p>}
      onConfirm={async (reason) => onRelease(reason)}
      onClose={onClose}
    />
  )
}
