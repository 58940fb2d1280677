import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sendOfficeMessage } from '~/src/features/messages/officeMessages'
import { useAppDispatch } from '~/src/store/hooks'
import { useSubmission } from '~/src/store/useSubmission'
import { Button, TextArea } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import css from './OfficeMessageDialog.module.css'

/** The longest message that `send_office_message` takes, characters. */
const MAX_TEXT_LENGTH = 500

/** Offers sentences that one touch sends. */
const QuickTexts = ({
  texts,
  isBusy,
  onSend,
}: {
  texts: readonly string[]
  isBusy: boolean
  onSend: (text: string) => void
}) => (
  <div className={css.quick}>
    {texts.map((sentence) => (
      <Button key={sentence} disabled={isBusy} onClick={() => onSend(sentence)}>
        {sentence}
      </Button>
    ))}
  </div>
)

/** Sends a message of the office to one driver or to all on duty, or of a driver to the office. */
export const OfficeMessageDialog = ({
  title,
  driver,
  quickTexts = [],
  onSent,
  onClose,
}: {
  title: string
  /** The driver; absent for all, and for the office. */
  driver?: string | undefined
  /** Sentences that one touch sends. */
  quickTexts?: readonly string[]
  onSent: (reachedCount: number) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { busy, refused, submit } = useSubmission()
  const [text, setText] = useState('')
  const send = async (words: string) => {
    const isDone = await submit(async () => {
      const to = driver === undefined ? {} : { driver }
      const response = await dispatch(sendOfficeMessage.quiet({ ...to, text: words })).unwrap()
      onSent(response.reachedCount)
    })
    if (isDone) onClose()
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      problem={refused?.field !== 'text' && <Refusal error={refused} />}
      actions={
        <Button
          variant="primary"
          size="large"
          wide
          busy={busy}
          disabled={text.trim() === ''}
          onClick={() => void send(text)}
        >
          {t('office_message_send')}
        </Button>
      }
    >
      {quickTexts.length > 0 && (
        <QuickTexts texts={quickTexts} isBusy={busy} onSend={(one) => void send(one)} />
      )}
      <TextArea
        label={t('office_message_text')}
        rows={3}
        maxLength={MAX_TEXT_LENGTH}
        value={text}
        error={refused?.field === 'text' ? t(refused.key) : undefined}
        onChange={({ target }) => setText(target.value)}
      />
    </Dialog>
  )
}
