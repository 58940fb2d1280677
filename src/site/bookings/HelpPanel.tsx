import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { HELP_TOPICS, type HelpTopic, MAX_HELP_LENGTH } from '~/domain/help/helpCase'
import { askHelp } from '~/src/features/help/help'
import { HelpThread } from '~/src/features/help/HelpThread'
import { useHelpCase } from '~/src/features/help/useHelpCase'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { Button, SelectInput, TextArea } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/Dialog'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSubmission } from '~/src/store/useSubmission'
import { Icon } from '~/src/ui/Icon'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './BookingPage.module.css'

const HelpDialog = ({
  onAsk,
  onClose,
}: {
  /** Sends the question; rejects with the refusal. */
  onAsk: (question: { topic: HelpTopic; text: string }) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const [topic, setTopic] = useState<HelpTopic | ''>('')
  const [text, setText] = useState('')
  const [hasTried, setTried] = useState(false)
  const { busy, refused, submit } = useSubmission()
  const send = async () => {
    setTried(true)
    if (topic && text.trim() && (await submit(() => onAsk({ topic, text })))) onClose()
  }
  return (
    <Dialog
      title={t('help_title')}
      onClose={onClose}
      actions={
        <Button variant="primary" busy={busy} onClick={() => void send()}>
          {t('help_send')}
        </Button>
      }
    >
      <SelectInput
        required
        label={t('help_what')}
        value={topic}
        error={hasTried && !topic ? t('help_topic_missing') : undefined}
        onChange={({ target }) => setTopic(HELP_TOPICS.find((one) => one === target.value) ?? '')}
      >
        <option value="" />
        {HELP_TOPICS.map((one) => (
          <option key={one} value={one}>
            {t(`help_topic_${one}`)}
          </option>
        ))}
      </SelectInput>
      <TextArea
        required
        label={t('help_words')}
        rows={4}
        maxLength={MAX_HELP_LENGTH}
        value={text}
        error={hasTried && !text.trim() ? t('field_required') : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <Refusal error={refused} />
    </Dialog>
  )
}

/**
 * Lets the rider ask the office about an ended booking, and shows its answers.
 *
 * @public BookingPage loads it on demand.
 */
export const HelpPanel = ({
  booking,
  isOpen,
}: {
  booking: Booking
  /** False when the rider can no longer ask; the answers stay. */
  isOpen: boolean
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { getKey, reset } = useIdempotencyKey()
  const { known, setKnown, failure, load } = useHelpCase(booking.id)
  const [isAsking, setAsking] = useState(false)
  const ask = async (question: { topic: HelpTopic; text: string }) => {
    const request_id = await getKey(question)
    const input = { booking_id: booking.id, request_id, ...question }
    setKnown(await dispatch(askHelp.quiet(input)).unwrap())
    reset()
    dispatch(noticeRaised({ tone: 'success', text: 'help_sent' }))
  }
  if (!isOpen && !known) return null
  return (
    <section className={css.panel}>
      <h2>{t('help_title')}</h2>
      {failure ? (
        <ErrorState onRetry={() => void load()}>{translateError(failure, t)}</ErrorState>
      ) : known === undefined ? (
        <SkeletonLines lines={2} />
      ) : (
        <>
          {known && <HelpThread shown={known} />}
          {isOpen && (
            <Button onClick={() => setAsking(true)}>
              <Icon name="chat" size={18} />
              {t('help_send')}
            </Button>
          )}
        </>
      )}
      {isAsking && <HelpDialog onAsk={ask} onClose={() => setAsking(false)} />}
    </section>
  )
}
