import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type HelpQuestion, helpQuestionForm } from '~/domain/forms/helpForms'
import { HELP_TOPICS, MAX_HELP_LENGTH } from '~/domain/help/helpCase'
import { askHelp, fetchHelp } from '~/src/features/help/help'
import { HelpThread } from '~/src/features/help/HelpThread'
import { liveSettings } from '~/src/features/settings/settings'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useLive } from '~/src/store/live/liveSlice'
import { useLoaded } from '~/src/store/useLoaded'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { SelectField, TextField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import css from './BookingPage.module.css'
import type { Booking } from '~/domain/booking/types'

const HelpDialog = ({
  onAsk,
  onClose,
}: {
  /** Sends the question; rejects with the refusal. */
  onAsk: (question: HelpQuestion) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const id = useId()
  const { element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: helpQuestionForm,
    initial: { text: '' },
    onSubmit: async (question) => {
      await onAsk(question)
      onClose()
    },
  })
  return (
    <Dialog
      title={t('help_title')}
      onClose={onClose}
      problem={<Refusal>{problem}</Refusal>}
      actions={
        <Button variant="primary" type="submit" form={id} busy={isSubmitting}>
          {t('help_send')}
        </Button>
      }
    >
      <form
        id={id}
        ref={element}
        className={css.question}
        noValidate
        onSubmit={(event) => void submit(event)}
      >
        <SelectField
          label={t('help_what')}
          options={[
            { value: '', label: '' },
            ...HELP_TOPICS.map((value) => ({ value, label: t(`help_topic_${value}`) })),
          ]}
          {...field('topic')}
        />
        <TextField
          multiline
          rows={4}
          label={t('help_words')}
          maxLength={MAX_HELP_LENGTH}
          {...field('text')}
        />
      </form>
    </Dialog>
  )
}

/** Says until when the rider can ask here, and where to write afterwards. */
const HelpEnd = ({ end, isOpen }: { end: number; isOpen: boolean }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings } = useLive(liveSettings)
  const email = settings?.contact_email
  return (
    <p className={css.muted}>
      {t(isOpen ? 'help_until' : 'help_over', { date: format.date(end) })}
      {!isOpen && email && (
        <>
          {' '}
          {t('help_write')}{' '}
          <a href={`mailto:${email}`}>
            <bdi dir="ltr">{email}</bdi>
          </a>
        </>
      )}
    </p>
  )
}

/**
 * Lets the rider ask the office about an ended booking, and shows its answers.
 *
 * @public BookingPage loads it on demand.
 */
export const HelpPanel = ({
  booking,
  end,
  isOpen,
}: {
  booking: Booking
  /** When the rider can no longer ask, ms. */
  end: number
  /** False when the rider can no longer ask; the answers stay. */
  isOpen: boolean
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { getKey, reset } = useIdempotencyKey()
  const { value: helpCase, setValue, failure, retry } = useLoaded(fetchHelp, booking.id)
  const [isAsking, setAsking] = useState(false)
  const ask = async (question: HelpQuestion) => {
    const request_id = await getKey(question)
    const input = { booking_id: booking.id, request_id, ...question }
    setValue(await dispatch(askHelp.quiet(input)).unwrap())
    reset()
    dispatch(noticeRaised({ tone: 'success', text: 'help_sent' }))
  }
  return (
    <section className={css.panel}>
      <h2>{t('help_title')}</h2>
      {failure ? (
        <ErrorState onRetry={retry}>{translateError(failure, t)}</ErrorState>
      ) : helpCase === undefined ? (
        <SkeletonLines lines={2} />
      ) : (
        <>
          {helpCase && <HelpThread shown={helpCase} />}
          {isOpen && (
            <Button onClick={() => setAsking(true)}>
              <Icon name="chat" size={18} />
              {t('help_send')}
            </Button>
          )}
          <HelpEnd end={end} isOpen={isOpen} />
        </>
      )}
      {isAsking && <HelpDialog onAsk={ask} onClose={() => setAsking(false)} />}
    </section>
  )
}
