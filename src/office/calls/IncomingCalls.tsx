import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { formatFullName } from '~/domain/accounts/userAccounts'
import {
  answerCall,
  type CallerCardData,
  findCaller,
  officeCalls,
} from '~/src/features/calls/calls'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { serverOffset } from '~/src/store/serverOffset'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { confirmLeave } from '~/src/ui/navigation/unsavedChanges'
import { useNow } from '~/src/ui/useNow'
import { formatContact } from '../contactFormat'
import { useOfficeSession } from '../useOfficeSession'
import css from './IncomingCalls.module.css'
import type { OfficeCall } from '~/domain/office/types'

/** Maximum number of calls on the screen. */
const MAX_CALLS = 5
/** Milliseconds between checks for expired calls. */
const RECHECK_MS = 2_000

/** The history state with which the booking form opens for a caller. */
export interface AnsweredCall {
  call_id: string
  /** The caller's number. */
  caller: string
}

interface RingingCall extends OfficeCall {
  id: string
  number: string
}

const IncomingCall = ({ call: { id, number, extension } }: { call: RingingCall }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const navigate = useNavigate()
  const { settings } = useOfficeSession()
  const [person, setPerson] = useState<CallerCardData['person']>(null)
  const bookButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    let isWanted = true
    dispatch(findCaller.quiet({ mobile: number }))
      .unwrap()
      .then(
        (card) => isWanted && setPerson(card.person),
        // The call is shown without a name.
        () => undefined,
      )
    return () => {
      isWanted = false
    }
  }, [number, dispatch])
  useEffect(() => {
    // Enter answers at once, unless the focus is somewhere else.
    if (document.activeElement === document.body) bookButton.current?.focus()
  }, [])
  const takeCall = async () => {
    const { first } = await dispatch(answerCall({ call_id: id })).unwrap()
    if (!first) dispatch(noticeRaised({ tone: 'news', text: 'call_taken' }))
  }
  const book = () =>
    confirmLeave(() => {
      // The form takes the focus, although the call is still shown for a moment.
      bookButton.current?.blur()
      const state: AnsweredCall = { call_id: id, caller: number }
      void navigate(screenPaths.addBooking, { state })
      void takeCall().catch(() => undefined)
    })
  const formattedNumber = formatContact(number, settings, t)
  return (
    <div className={css.call} data-incoming-call>
      <Icon name="phone" />
      <p>
        <strong>{t('call_from', { number: `\u2066${formattedNumber}\u2069` })}</strong>
        {person && <bdi>{formatFullName(person)}</bdi>}
        {extension && <span>{t('call_extension', { extension })}</span>}
      </p>
      <div className={css.actions}>
        <Button ref={bookButton} size="small" variant="primary" onClick={book}>
          {t('call_book')}
        </Button>
        <Button size="small" onClick={() => void takeCall().catch(() => undefined)}>
          {t('call_dismiss')}
        </Button>
      </div>
    </div>
  )
}

const CurrentCalls = ({ calls }: { calls: readonly RingingCall[] }) => {
  const { offset } = useLive(serverOffset)
  const now = useNow(RECHECK_MS) + (offset ?? 0)
  return calls
    .filter(({ expires }) => expires > now)
    .map((call) => <IncomingCall key={call.id} call={call} />)
}

/** Shows the calls that a telephone system announces, on every page of the back office. */
export const IncomingCalls = () => {
  const { t } = useTranslation()
  const { calls } = useLive(officeCalls, MAX_CALLS)
  const ringing = calls.filter((call): call is RingingCall => call.number !== undefined)
  return (
    <section className={css.calls} aria-label={t('incoming_calls')} aria-live="assertive">
      {ringing.length > 0 && <CurrentCalls calls={ringing} />}
    </section>
  )
}
