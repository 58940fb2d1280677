import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ACTIVE_STATUSES, type Booking, type User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { ErrorState, SkeletonLines } from '~/src/ui/states'
import css from './ChatThread.module.css'
import { messages as liveMessages, sendMessage } from './chats'

/** The longest message the rules let through. */
const LONGEST = 1000

/** Rider and driver may write while the booking is active and has a driver; the office only reads. */
const mayWrite = ({ customer, driver, status }: Booking, { id }: User) =>
  driver !== undefined && (id === customer || id === driver) && ACTIVE_STATUSES.includes(status)

/** What rider and driver write to each other, newest at the bottom, and the line to write in. */
export const ChatThread = ({
  booking,
  user,
  timezone,
  quick = [],
}: {
  booking: Booking
  user: User
  /** IANA name. */
  timezone: string
  /** Sentences to send with one tap. */
  quick?: string[]
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { messages, loading, error, retry } = useLive(liveMessages, booking.id)
  const [draft, setDraft] = useState('')
  const [refused, setRefused] = useState<Refusal | null>(null)
  const end = useRef<HTMLDivElement>(null)
  const count = messages.length
  useEffect(() => {
    // Some browsers answer with a promise, which is no clean-up.
    void end.current?.scrollIntoView?.({ block: 'end' })
  }, [count])

  const send = async (message: string) => {
    if (!message.trim()) return
    setDraft('')
    setRefused(null)
    try {
      const what = { booking_id: booking.id, from: user, message: message.trim(), timezone }
      await dispatch(sendMessage({ ...what, quiet: true })).unwrap()
    } catch (problem) {
      setDraft(message)
      setRefused(problem as Refusal)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send(draft)
  }
  if (error.flag && error.msg)
    return <ErrorState onRetry={retry}>{t(error.msg, error.params ?? {})}</ErrorState>
  return (
    <div className={css.thread}>
      <div role="log" aria-label={t('chat_messages')} className={css.log}>
        {loading && <SkeletonLines lines={2} />}
        {!loading && count === 0 && <p className={css.none}>{t('chat_empty')}</p>}
        <ol role="list" className={css.messages}>
          {messages.map(({ id, message, from, source, at }) => (
            <li key={id} data-mine={from === user.id || undefined}>
              <span className="visually-hidden">{t(source)}: </span>
              <p dir="auto">{message}</p>
              {at && (
                <small>
                  <DateTime at={at} only="time" />
                </small>
              )}
            </li>
          ))}
        </ol>
      </div>
      <div ref={end} />
      {mayWrite(booking, user) ? (
        <div className={css.foot}>
          {refused && (
            <p role="alert" className={css.problem}>
              {t(refused.key, refused.params ?? {})}
            </p>
          )}
          {quick.length > 0 && (
            <div className={css.quick}>
              {quick.map((sentence) => (
                <Button key={sentence} size="small" onClick={() => void send(sentence)}>
                  {sentence}
                </Button>
              ))}
            </div>
          )}
          <form onSubmit={submit} className={css.form}>
            <input
              aria-label={t('chat_write')}
              placeholder={t('chat_write')}
              value={draft}
              maxLength={LONGEST}
              dir="auto"
              autoComplete="off"
              enterKeyHint="send"
              onChange={({ target }) => setDraft(target.value)}
            />
            <IconButton
              type="submit"
              look="primary"
              label={t('chat_send')}
              disabled={!draft.trim()}
            >
              <Icon name="send" />
            </IconButton>
          </form>
        </div>
      ) : (
        <p className={css.closed}>{t('chat_closed')}</p>
      )}
    </div>
  )
}
