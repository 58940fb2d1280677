import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { helpAnswerForm } from '~/domain/forms/helpForms'
import { type HelpCase, MAX_HELP_LENGTH } from '~/domain/help/helpCase'
import { answerHelp, fetchHelp } from '~/src/features/help/help'
import { HelpThread } from '~/src/features/help/HelpThread'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useLoaded } from '~/src/store/useLoaded'
import { Button } from '~/src/ui/controls'
import { TextField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { useOfficeSession } from '../useOfficeSession'
import css from './complaints/complaints.module.css'

const AnswerForm = ({
  helpCase,
  onAnswered,
  onConflict,
}: {
  helpCase: HelpCase
  onAnswered: (changed: HelpCase) => void
  /** Called after a refusal: someone else may have changed the case. */
  onConflict: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { getKey, reset } = useIdempotencyKey()
  const { notify } = useOfficeSession()
  const { form, element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: helpAnswerForm,
    initial: { text: '' },
    onSubmit: async ({ text }) => {
      const { booking: booking_id, revision } = helpCase
      const reply = { booking_id, text, revision }
      const request_id = await getKey(reply)
      const request = dispatch(answerHelp.quiet({ ...reply, request_id })).unwrap()
      request.catch(onConflict)
      onAnswered(await request)
      form.reset()
      reset()
      notify('help_answered')
    },
  })
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        multiline
        label={t('help_answer')}
        hint={t('help_answer_hint')}
        maxLength={MAX_HELP_LENGTH}
        {...field('text')}
      />
      <Refusal>{problem}</Refusal>
      <div className={css.buttons}>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('help_answer_send')}
        </Button>
      </div>
    </form>
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
  const { value: helpCase, setValue, failure, retry } = useLoaded(fetchHelp, booking)
  if (failure) return wrap(<ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>)
  if (!helpCase) return null
  return wrap(
    <>
      <HelpThread shown={helpCase} />
      {can('help_answer') && (
        <AnswerForm
          helpCase={helpCase}
          onAnswered={(changed) => setValue(changed)}
          onConflict={() => retry()}
        />
      )}
    </>,
  )
}
