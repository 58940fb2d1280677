import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { NOTE_LENGTH, type Withdrawal } from '~/domain/money/types'
import { useSubmission } from '~/src/store/useSubmission'
import { Button, TextArea } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { Refusal } from '~/src/ui/forms/Refusal'

/** Asks why an unpaid withdrawal goes back to the wallet; its owner reads the reason. */
export const ReturnWithdrawalDialog = ({
  withdrawal: { amount, name },
  onReturn,
  onClose,
}: {
  withdrawal: Withdrawal
  onReturn: (note: string) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [note, setNote] = useState('')
  const { busy, refused, refuse, submit } = useSubmission()
  const send = async () => {
    if (!note.trim()) refuse(domainError('reason_required'))
    else if (await submit(() => onReturn(note.trim()))) onClose()
  }
  return (
    <Dialog
      title={t('withdraw_return_question', { amount: format.money(amount), name })}
      onClose={onClose}
      problem={<Refusal error={refused} />}
      actions={
        <>
          <Button onClick={onClose}>{t('keep')}</Button>
          <Button variant="primary" busy={busy} onClick={() => void send()}>
            {t('withdraw_return')}
          </Button>
        </>
      }
    >
      <p>{t('withdraw_return_note', { name })}</p>
      <TextArea
        label={t('reason')}
        required
        rows={2}
        maxLength={NOTE_LENGTH}
        value={note}
        onChange={({ target }) => {
          setNote(target.value)
          refuse(null)
        }}
      />
    </Dialog>
  )
}
