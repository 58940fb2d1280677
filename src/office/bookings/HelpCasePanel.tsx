import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type HelpCase, MAX_HELP_LENGTH } from '~/domain/help/helpCase'
import { answerHelp } from '~/src/features/help/help'
import { HelpThread } from '~/src/features/help/HelpThread'
import { useHelpCase } from '~/src/features/help/useHelpCase'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { Button, TextArea } from '~/src/ui/controls'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { ErrorState } from '~/src/ui/states'
import { useOfficeSession } from '../useOfficeSession'

const AnswerForm = ({
  shown,
  onAnswered,
  onConflict,
}: {
  shown: HelpCase
  onAnswered: (changed: HelpCase) => void
  /** Called after a refusal: someone else may have changed the case. */
  onConflict: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { getKey, reset } = useIdempotencyKey()
  const { notify } = useOfficeSession()
  const [text, setText] = useState('')
  const [hasTried, setTried] = useState(false)
  const { busy, refused, submit } = useSubmission()
  const send = async () => {
    setTried(true)
    if (!text.trim()) return
    const { booking: booking_id, revision } = shown
    const answer = { booking_id, text, revision }
    const isSent = await submit(async () => {
      const request_id = await getKey(answer)
      onAnswered(await dispatch(answerHelp.quiet({ ...answer, request_id })).unwrap())
    })
    if (!isSent) return onConflict()
    setText('')
    setTried(false)
    reset()
    notify('help_answered')
  }
  return (
    <>
      <TextArea
        label={t('help_answer')}
        hint={t('help_answer_hint')}
        rows={3}
        maxLength={MAX_HELP_LENGTH}
        value={text}
        error={hasTried && !text.trim() ? t('field_required') : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <Refusal error={refused} />
      <Button variant="primary" busy={busy} onClick={() => void send()}>
        {t('help_answer_send')}
      </Button>
    </>
  )
}

/** Shows the customer's questions about a booking and answers them; nothing without a question. */
export const HelpCasePanel = ({
  booking,
  wrap,
}: {
  booking: string
  wrap: (content: ReactNode) => ReactNode
}) => {
  const { t } = useTranslation()
  const { can } = useOfficeSession()
  const { known, setKnown, failure, load } = useHelpCase(booking)
  if (failure)
    return wrap(<ErrorState onRetry={() => void load()}>{translateError(failure, t)}</ErrorState>)
  if (!known) return null
  return wrap(
    <>
      <HelpThread shown={known} />
      {can('help_answer') && (
        <AnswerForm
          shown={known}
          onAnswered={(changed) => setKnown(changed)}
          onConflict={() => void load()}
        />
      )}
    </>,
  )
}
