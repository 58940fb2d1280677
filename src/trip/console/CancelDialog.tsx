import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { SkeletonLines } from '~/src/ui/states'
import css from './CancelDialog.module.css'

/** Why the driver gives the booking up: one of the office's reasons. */
export const CancelDialog = ({
  onCancel,
  onClose,
}: {
  onCancel: (reason: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { complex, loading } = useLive(cancelReasons)
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
            look="danger"
            size="large"
            disabled={reason === null}
            onClick={() => reason !== null && onCancel(reason)}
          >
            {t('give_up')}
          </Button>
        </>
      }
    >
      <p>{t('give_up_text')}</p>
      {loading ? (
        <SkeletonLines lines={4} />
      ) : (
        <fieldset className={css.reasons}>
          <legend className="visually-hidden">{t('cancellation_reason')}</legend>
          {[
            ...complex.map(({ label }) => label),
            ...(complex.length ? [] : [t('reason_other')]),
          ].map((label) => (
            <label key={label}>
              <input
                type="radio"
                name="reason"
                checked={reason === label}
                onChange={() => setReason(label)}
              />
              <span>{label}</span>
            </label>
          ))}
        </fieldset>
      )}
    </Dialog>
  )
}
