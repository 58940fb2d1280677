import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ReasonChoices } from '~/src/features/cancellationReasons/ReasonChoices'
import { useCancellationReasons } from '~/src/features/cancellationReasons/useCancellationReasons'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'

/** Asks the driver why they release the booking, with the configured reasons. */
export const ReleaseDialog = ({
  onRelease,
  onClose,
}: {
  onRelease: (reason: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { reasons, loading } = useCancellationReasons()
  const [reason, setReason] = useState<string | null>(null)
  return (
    <Dialog
      title={t('give_up_title')}
      onClose={onClose}
      actions={
        <>
          <Button size="large" onClick={onClose}>
            {t('keep')}
          </Button>
          <Button
            variant="danger"
            size="large"
            disabled={reason === null}
            onClick={() => reason !== null && onRelease(reason)}
          >
            {t('give_up')}
          </Button>
        </>
      }
    >
      <p>{t('give_up_text')}</p>
      <ReasonChoices reasons={reasons} loading={loading} value={reason} onChange={setReason} />
    </Dialog>
  )
}
