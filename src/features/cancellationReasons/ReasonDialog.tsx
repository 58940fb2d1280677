import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { ReasonChoices } from './ReasonChoices'
import { useCancellationReasons } from './useCancellationReasons'

interface ReasonDialogProps {
  title: string
  /** The text of the button that sends the event. */
  confirm: string
  legend?: string
  /** Text before the choice of reasons. */
  intro: ReactNode
  /** The only possible reason, when there is no choice. */
  fixedReason?: string | null
  /** Sends the event; rejects with the DomainError of a refusal. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
  /** Large buttons, for people who are on the road. */
  isLarge?: boolean
  /** Further fields. */
  children?: ReactNode
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
  isLarge = false,
  children,
}: ReasonDialogProps) => {
  const { t } = useTranslation()
  const { reasons, loading } = useCancellationReasons()
  const [reason, setReason] = useState(fixedReason)
  const { busy, refused, refuse, submit } = useSubmission()
  const size = isLarge ? ({ size: 'large' } as const) : {}
  const send = async () => {
    if (reason === null) refuse(domainError('reason_required'))
    else if (await submit(() => onConfirm(reason))) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      problem={<Refusal error={refused} />}
      actions={
        <>
          <Button {...size} onClick={onClose}>
            {t('keep')}
          </Button>
          <Button variant="danger" {...size} busy={busy} onClick={() => void send()}>
            {confirm}
          </Button>
        </>
      }
    >
      {intro}
      {fixedReason === null && (
        <ReasonChoices
          {...(legend && { legend })}
          reasons={reasons}
          loading={loading}
          value={reason}
          onChange={(nextReason) => {
            setReason(nextReason)
            refuse(null)
          }}
        />
      )}
      {children}
    </Dialog>
  )
}
