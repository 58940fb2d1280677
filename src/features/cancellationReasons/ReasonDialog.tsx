import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type DomainError, domainError } from '~/domain/errors'
import { translateError } from '~/src/i18n/errorTexts'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Icon } from '~/src/ui/Icon'
import { ReasonChoices } from './ReasonChoices'
import css from './ReasonDialog.module.css'
import { useCancellationReasons } from './useCancellationReasons'

interface ReasonDialogProps {
  title: string
  /** The text of the button that sends the event. */
  confirm: string
  legend: string
  /** Text before the choice of reasons. */
  intro: ReactNode
  /** The only possible reason, when there is no choice. */
  fixedReason?: string | null
  /** Sends the event; rejects with the DomainError of a refusal. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  /** Further fields. */
  children?: ReactNode
}

/** Returns the chosen reason and a function that sends it and closes the dialog, or its refusal. */
const useReasonForm = ({
  fixedReason = null,
  onConfirm,
  onClose,
}: Pick<ReasonDialogProps, 'fixedReason' | 'onConfirm' | 'onClose'>) => {
  const [reason, setReason] = useState(fixedReason)
  const [refused, setRefused] = useState<DomainError | null>(null)
  const [busy, setBusy] = useState(false)
  const send = async () => {
    if (reason === null) {
      setRefused(domainError('reason_required'))
      return
    }
    setBusy(true)
    setRefused(null)
    try {
      await onConfirm(reason)
      onClose()
    } catch (error) {
      setRefused(error as DomainError)
      setBusy(false)
    }
  }
  const choose = (chosen: string) => {
    setReason(chosen)
    setRefused(null)
  }
  return { reason, choose, refused, busy, send }
}

/** Asks for the reason of an event that ends something, and shows why it is refused. */
export const ReasonDialog = ({
  title,
  confirm,
  legend,
  intro,
  fixedReason = null,
  onConfirm,
  onClose,
  children,
}: ReasonDialogProps) => {
  const { t } = useTranslation()
  const { reasons, loading } = useCancellationReasons()
  const { reason, choose, refused, busy, send } = useReasonForm({
    fixedReason,
    onConfirm,
    onClose,
  })
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button variant="danger" busy={busy} onClick={() => void send()}>
            {confirm}
          </Button>
        </>
      }
    >
      {intro}
      {fixedReason === null && (
        <ReasonChoices
          legend={legend}
          reasons={reasons}
          loading={loading}
          value={reason}
          onChange={choose}
        />
      )}
      {children}
      {refused && (
        <p role="alert" className={css.refused}>
          <Icon name="warning" size={18} />
          {translateError(refused, t)}
        </p>
      )}
    </Dialog>
  )
}
