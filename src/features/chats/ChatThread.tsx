import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isContactOpen } from '~/domain/booking/contactAccess'
import type { DomainError } from '~/domain/api/errors'
import { cleanWords, findWordsProblem, normalizeWords } from '~/domain/language/words'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch, useAppSelector, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useNow } from '~/src/ui/useNow'
import css from './ChatThread.module.css'
import {
  createMessage,
  liveMessages,
  noticeUnsent,
  selectUnsentMessages,
  sendMessage,
} from './chats'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** Maximum message length that the rules accept. */
const MAX_MESSAGE_LENGTH = 1000

/** Milliseconds between checks for the end of the chat hour. */
const RECHECK_MS = 30_000

/**
 * Returns true for the rider and the driver while they may contact each other. The back office only
 * reads.
 */
const mayWrite = (booking: Booking, { id }: User, now: number) =>
  (id === booking.customer || id === booking.driver) && isContactOpen(booking, now)

/** Pixels below the window at which the end of the chat still counts as in sight. */
const END_TOLERANCE = 60
/** Returns true when the end of the chat is in sight; the page may have more below it. */
const isInSight = (end: HTMLElement | null) =>
  end !== null && end.getBoundingClientRect().bottom <= window.innerHeight + END_TOLERANCE

/**
 * Scrolls to the returned element when a message comes, and when the window changes its height, as
 * a phone's keyboard makes it do, unless the user has scrolled up.
 */
const useNewestInSight = (newest: string) => {
  const end = useRef<HTMLDivElement>(null)
  // Some browsers return a promise here, which is not a cleanup function.
  const showEnd = () => void end.current?.scrollIntoView({ block: 'end' })
  useEffect(showEnd, [newest])
  useEffect(() => {
    let wasAtEnd = true
    let height = window.innerHeight
    const onScroll = () => {
      // A change of the height also scrolls the page.
      if (window.innerHeight === height) wasAtEnd = isInSight(end.current)
    }
    const onResize = () => {
      height = window.innerHeight
      if (wasAtEnd) showEnd()
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    window.addEventListener('resize', onResize)
    return () => {
      window.removeEventListener('scroll', onScroll)
      window.removeEventListener('resize', onResize)
    }
  }, [])
  return end
}

interface ThreadProps {
  booking: Booking
  user: User
  /** IANA name. */
  timezone: string
}

/** Holds the message that is written, and sends messages. */
const useSendMessage = (
  { booking, user, timezone }: ThreadProps,
  end: RefObject<HTMLElement | null>,
) => {
  const dispatch = useAppDispatch()
  const { database } = useServices()
  const [draft, setDraft] = useState('')
  const [refused, setRefused] = useState<DomainError | null>(null)
  /** The messages that have no response yet. */
  const sending = useRef(new Set<string>())
  const send = async (typed: string) => {
    const text = normalizeWords(typed)
    if (!text) return
    const problem = findWordsProblem(text, 'text')
    if (problem) {
      setRefused({ key: problem })
      return
    }
    // A second click in the same tick sends the same words; other words may follow at once.
    if (sending.current.has(text)) return
    sending.current.add(text)
    setDraft('')
    setRefused(null)
    const key = await database.newKey()
    const unsent = { booking_id: booking.id, key, message: createMessage(user, text, timezone) }
    try {
      await dispatch(sendMessage.quiet(unsent)).unwrap()
    } catch (problem) {
      if (!end.current) {
        // The user has left the chat.
        dispatch(noticeUnsent(unsent))
        return
      }
      // The user may have started another message meanwhile.
      setDraft((other) => other || typed)
      setRefused(problem as DomainError)
    } finally {
      sending.current.delete(text)
    }
  }
  return { draft, setDraft, refused, send: (typed: string) => void send(typed) }
}

/** Renders the input field, and prepared messages above it. */
const MessageForm = ({
  quick,
  message: { draft, setDraft, refused, send },
}: {
  quick: string[]
  message: ReturnType<typeof useSendMessage>
}) => {
  const { t } = useTranslation()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send(draft)
  }
  return (
    <div className={css.foot}>
      {refused && (
        <p role="alert" className={css.problem}>
          {translateError(refused, t)}
        </p>
      )}
      {quick.length > 0 && (
        <div className={css.quick}>
          {quick.map((sentence) => (
            <Button key={sentence} size="small" onClick={() => send(sentence)}>
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
          maxLength={MAX_MESSAGE_LENGTH}
          dir="auto"
          autoComplete="off"
          enterKeyHint="send"
          onChange={({ target }) => setDraft(target.value)}
        />
        <IconButton type="submit" variant="primary" label={t('chat_send')} disabled={!draft.trim()}>
          <Icon name="send" />
        </IconButton>
      </form>
    </div>
  )
}

/** Renders the messages of rider and driver, newest at the bottom, and the input field. */
export const ChatThread = ({
  quick = [],
  ...thread
}: ThreadProps & {
  /** Prepared messages to send with one tap. */
  quick?: string[]
}) => {
  const { t } = useTranslation()
  const { booking, user } = thread
  const { messages, loading, error, retry } = useLive(liveMessages, booking.id)
  const unseen = useAppSelector(selectUnsentMessages).filter(
    ({ booking_id, key }) => booking_id === booking.id && !messages.some(({ id }) => id === key),
  )
  const now = useNow(RECHECK_MS)
  const count = messages.length + unseen.length
  // The list has the latest messages only, so its length need not change with a new one.
  const end = useNewestInSight(`${messages.at(-1)?.id} ${unseen.length}`)
  const message = useSendMessage(thread, end)
  if (error.flag && error.msg)
    return <ErrorState onRetry={retry}>{t(error.msg, error.params ?? {})}</ErrorState>
  return (
    <div className={css.thread}>
      <div role="log" aria-label={t('chat_messages')} className={css.log}>
        {loading && <SkeletonLines lines={2} />}
        {!loading && count === 0 && <p className={css.none}>{t('chat_empty')}</p>}
        <ol role="list" className={css.messages}>
          {messages.map(({ id, message: text, from, source, at }) => (
            <li key={id} data-mine={from === user.id || undefined}>
              <span className="visually-hidden">{t(source)}: </span>
              <p dir="auto">{cleanWords(text, 'text')}</p>
              {at && (
                <small>
                  <DateTime at={at} only="time" />
                </small>
              )}
            </li>
          ))}
          {unseen.map(({ key, message: { message: text } }) => (
            <li key={key} data-mine data-waiting>
              <span className="visually-hidden">
                {t(user.usertype === 'driver' ? 'driver' : 'rider')}:{' '}
              </span>
              <p dir="auto">{text}</p>
              <small>{t('chat_waiting')}</small>
            </li>
          ))}
        </ol>
      </div>
      {mayWrite(booking, user, now) ? (
        <MessageForm quick={quick} message={message} />
      ) : (
        <p className={css.closed}>{t('chat_closed')}</p>
      )}
      {/* After the input field, which sticks to the bottom and would cover the newest message. */}
      <div ref={end} className={css.end} />
    </div>
  )
}
