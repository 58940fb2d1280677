import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import type { SentMessage } from '~/domain/messages/outbox'
import { fetchBookingMessages } from '~/src/features/messages/messages'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { getMessageTitle } from '../messages/messageTitle'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './bookings.module.css'
import type { Booking } from '~/domain/booking/types'

const MessageRow = ({
  message: { event, audience, channel, state, at, why, to, price },
  reference,
}: {
  message: SentMessage
  /** The reference of the booking. */
  reference: string
}) => {
  const { t, i18n } = useTranslation()
  const format = useFormat()
  // A service's own code stays as it is; an expired message had no other reason than its time.
  const reason =
    why &&
    state !== 'expired' &&
    (i18n.exists(`message_why_${why}`) ? t(`message_why_${why}`) : why)
  return (
    <li>
      <strong>{getMessageTitle(event, t, { reference })}</strong>
      <span>
        <DateTime at={at} /> · {t(`audience_${audience}`)} · {t(`channel_${channel}`)}
        {to && (
          <>
            {' · '}
            <bdi className="typed">{to}</bdi>
          </>
        )}
      </span>
      <span>
        {t(`message_state_${state}`)}
        {reason && `: ${reason}`}
        {price !== undefined && price > 0 && ` · ${format.money(price)}`}
      </span>
    </li>
  )
}

/** Shows which messages about a booking left the platform, oldest first; admins only. */
export const BookingMessages = ({
  booking: { id: booking, reference, revision },
}: {
  /** Its revision changes with each event, which may send messages. */
  booking: Pick<Booking, 'id' | 'reference' | 'revision'>
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [rows, setRows] = useState<SentMessage[] | null>(null)
  const [next, setNext] = useState<string | null>(null)
  const [failure, setFailure] = useState<DomainError | null>(null)
  const { busy, run } = useSingleRun()
  const load = useCallback(
    (cursor?: string) =>
      dispatch(
        fetchBookingMessages.quiet({
          booking_id: booking,
          ...(cursor !== undefined && { cursor }),
        }),
      )
        .unwrap()
        .then(
          (page) => {
            setFailure(null)
            setRows((previousRows) => [
              ...(cursor === undefined ? [] : (previousRows ?? [])),
              ...page.rows,
            ])
            setNext(page.next)
          },
          (error: unknown) => setFailure(error as DomainError),
        ),
    [booking, dispatch],
  )
  useEffect(() => void load(), [load, revision])
  if (failure)
    return <ErrorState onRetry={() => void load()}>{translateError(failure, t)}</ErrorState>
  if (rows === null) return <SkeletonLines lines={2} />
  if (rows.length === 0) return <p className={css.muted}>{t('messages_none')}</p>
  return (
    <>
      <ol className={css.timeline}>
        {[...rows]
          .sort((a, b) => a.at - b.at)
          .map((message) => (
            <MessageRow key={message.id} message={message} reference={reference} />
          ))}
      </ol>
      {next !== null && (
        <Button size="small" busy={busy} onClick={() => void run(() => load(next))}>
          {t('messages_more')}
        </Button>
      )}
    </>
  )
}
