import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { translateError } from '~/src/i18n/errorTexts'
import panicTexts from '~/src/i18n/locales/en/panic.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Icon } from '~/src/ui/Icon'
import { toTelLink } from '~/src/ui/format/telLink'
import css from './PanicButton.module.css'
import { createPressKey, raisePanic } from './panic'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { LatLng } from '~/domain/geo/types'

interface PanicProps {
  booking: string
  /** The emergency number, if the platform has one. */
  phone: string | undefined
  /** Returns the device's position, or null when it is unknown. */
  locate: () => Promise<LatLng | null>
}

type Progress = 'asks' | 'sending' | 'sent'

const PanicDialog = ({ booking, phone, locate, onClose }: PanicProps & { onClose: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [progress, setProgress] = useState<Progress>('asks')
  const [failure, setFailure] = useState<DomainError | null>(null)
  // The alert does not wait for the position, so the search for it starts with the dialog.
  const [located] = useState(() => {
    const result: { position?: LatLng } = {}
    void locate().then((position) => {
      if (position) result.position = position
    })
    return result
  })
  const pressKey = useRef<string | null>(null)
  const { run } = useSingleRun()
  const alertOffice = async () => {
    setProgress('sending')
    setFailure(null)
    try {
      // A repeat after a failure is the same press.
      pressKey.current ??= await dispatch(createPressKey.quiet()).unwrap()
      await dispatch(
        raisePanic.quiet({
          panic_id: pressKey.current,
          booking_id: booking,
          ...(located.position && { position: located.position }),
        }),
      ).unwrap()
      setProgress('sent')
    } catch (error) {
      setFailure(error as DomainError)
      setProgress('asks')
    }
  }
  return (
    <Dialog
      title={t('panic_call')}
      onClose={onClose}
      problem={
        failure && (
          <p role="alert" className={css.failed}>
            {t('panic_failed')} {translateError(failure, t)}
          </p>
        )
      }
      actions={
        progress === 'sent' ? (
          <Button onClick={onClose}>{t('close')}</Button>
        ) : (
          <Button
            variant="danger"
            size="large"
            wide
            busy={progress === 'sending'}
            onClick={() => void run(alertOffice)}
          >
            {t('panic_alert_office')}
          </Button>
        )
      }
    >
      {phone && (
        <a className={css.call} href={toTelLink(phone)}>
          <Icon name="phone" />
          {t('panic_call_number', { number: `\u2066${phone}\u2069` })}
        </a>
      )}
      <p>{t(phone ? 'panic_lead_number' : 'panic_lead')}</p>
      <p role="status">{progress === 'sent' && <strong>{t('panic_sent')}</strong>}</p>
    </Dialog>
  )
}

/**
 * Opens the emergency dialog, which calls the emergency number or alerts the office. The second
 * press in the dialog keeps an accidental touch from raising an alarm.
 */
export const PanicButton = ({
  isInRow = false,
  ...props
}: PanicProps & {
  /** For an `ActionRow`; otherwise the button is wide. */
  isInRow?: boolean
}) => {
  useAddedTexts(panicTexts)
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const trigger = { 'aria-haspopup': 'dialog', onClick: () => setOpen(true) } as const
  return (
    <>
      {isInRow ? (
        <button type="button" data-tone="danger" {...trigger}>
          <Icon name="shield" size={24} />
          <span>{t('panic_call')}</span>
        </button>
      ) : (
        <Button variant="danger" wide {...trigger}>
          <Icon name="shield" size={18} />
          {t('panic_call')}
        </Button>
      )}
      {isOpen && <PanicDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
