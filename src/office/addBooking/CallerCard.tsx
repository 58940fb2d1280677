import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { type CallerCardData, findCaller, saveNote } from '~/src/features/calls/calls'
import { translateError } from '~/src/i18n/errorTexts'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, TextArea } from '~/src/ui/controls'
import { Address } from '~/src/ui/format/address'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { TripEnds } from '~/src/ui/PlaceMark'
import { Link } from '~/src/ui/navigation/router'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import type { PickedPerson } from '../people/UserPicker'
import { useOfficeSession } from '../useOfficeSession'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './CallerCard.module.css'
import type { CallerTrip } from '~/domain/booking/types'

const MAX_NOTE_CHARS = 1000

/** Edits the office's note about a person. */
const NoteField = ({ uid, note }: { uid: string; note: CallerCardData['note'] }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const [saved, setSaved] = useState(note)
  const [text, setText] = useState(note.text)
  const { busy, run } = useSingleRun()
  const [problem, setProblem] = useState<DomainError | null>(null)
  const save = () =>
    run(async () => {
      setProblem(null)
      const { revision } = await dispatch(
        saveNote.quiet({ uid, text, revision: saved.revision }),
      ).unwrap()
      setSaved({ text, revision })
      notify('note_saved')
    }).catch((error: unknown) => {
      const refused = error as DomainError
      const { revision } = refused.params ?? {}
      // The next attempt replaces the note of the colleague who was faster.
      if (typeof revision === 'number') setSaved({ ...saved, revision })
      setProblem(refused)
    })
  return (
    <div className={css.note}>
      <TextArea
        rows={2}
        label={t('person_note')}
        hint={t('person_note_hint')}
        maxLength={MAX_NOTE_CHARS}
        readOnly={!can('user_update')}
        value={text}
        error={problem ? translateError(problem, t) : undefined}
        onChange={({ target }) => setText(target.value)}
      />
      {text !== saved.text && (
        <Button size="small" busy={busy} onClick={() => void save()}>
          {t('person_note_save')}
        </Button>
      )}
    </div>
  )
}

const TripName = ({ trip: { pickup, drop, waypoints = [] } }: { trip: CallerTrip }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span>
      <TripEnds from={pickup.add} to={drop.add} />
      {waypoints.length > 0 && ` · ${t('stops')}: ${format.number(waypoints.length)}`}
    </span>
  )
}

/** Loads what the office knows about a caller. */
const useCallerCard = (uid: string) => {
  const dispatch = useAppDispatch()
  const [card, setCard] = useState<CallerCardData | null>(null)
  const [failed, setFailed] = useState<DomainError | null>(null)
  const [round, setRound] = useState(0)
  useEffect(() => {
    let isWanted = true
    dispatch(findCaller.quiet({ uid }))
      .unwrap()
      .then(
        (callerCard) => isWanted && setCard(callerCard),
        (error: unknown) => isWanted && setFailed(error as DomainError),
      )
    return () => {
      isWanted = false
    }
  }, [uid, round, dispatch])
  const retry = () => {
    setFailed(null)
    setRound(round + 1)
  }
  return { card, failed, retry }
}

/** Lists the last trips; each books itself again. */
const CallerTrips = ({
  trips,
  firstTrip,
  onRepeat,
}: {
  trips: CallerCardData['trips']
  firstTrip: RefObject<HTMLButtonElement | null>
  onRepeat: (trip: CallerTrip) => void
}) => {
  const { t } = useTranslation()
  return (
    <>
      <h2>{t('caller_trips')}</h2>
      {trips.length === 0 ? (
        <p className={css.muted}>{t('caller_no_trips')}</p>
      ) : (
        <ol role="list" className={css.trips}>
          {trips.map((trip, index) => (
            <li key={trip.booking_id}>
              <button
                ref={index === 0 ? firstTrip : undefined}
                type="button"
                aria-keyshortcuts={String(index + 1)}
                onClick={() => onRepeat(trip)}
              >
                <kbd aria-hidden="true">{index + 1}</kbd>
                <TripName trip={trip} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </>
  )
}

/** Lists the bookings that have not ended. */
const OpenBookings = ({ bookings }: { bookings: CallerCardData['open'] }) => {
  const { t } = useTranslation()
  if (bookings.length === 0) return null
  return (
    <>
      <h2>{t('caller_open')}</h2>
      <ul role="list" className={css.open}>
        {bookings.map((booking) => (
          <li key={booking.id}>
            <Link to={screenPaths.booking(booking.id)}>
              <bdi dir="ltr">{booking.reference}</bdi>
            </Link>
            <BookingStatus status={booking.status} />
            <span className={css.muted}>
              <DateTime at={booking.tripdate} /> · <Address value={booking.dropAddress} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/**
 * Shows what the office knows about a caller: last trips, open bookings and the note. Each trip has
 * a number key that books it again, as long as the focus is on the card.
 */
export const CallerCard = ({
  person,
  onRepeat,
}: {
  person: PickedPerson
  onRepeat: (trip: CallerTrip) => void
}) => {
  const { t } = useTranslation()
  const { card, failed, retry } = useCallerCard(person.id)
  const firstTrip = useRef<HTMLButtonElement>(null)
  const isLoaded = card !== null
  useEffect(() => {
    // The field in which the person was found is gone. Any other focus stays where it is.
    if (isLoaded && document.activeElement === document.body) firstTrip.current?.focus()
  }, [isLoaded])
  const repeatByKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof HTMLTextAreaElement) return
    const trip = /^[1-9]$/.test(event.key) ? card?.trips[Number(event.key) - 1] : undefined
    if (!trip) return
    event.preventDefault()
    onRepeat(trip)
  }
  return (
    <section
      className={css.card}
      aria-label={t('caller_card', { name: formatFullName(person) })}
      onKeyDown={repeatByKey}
    >
      {card ? (
        <>
          <CallerTrips trips={card.trips} firstTrip={firstTrip} onRepeat={onRepeat} />
          <OpenBookings bookings={card.open} />
          <NoteField uid={person.id} note={card.note} />
        </>
      ) : failed ? (
        <ErrorState onRetry={retry}>{translateError(failed, t)}</ErrorState>
      ) : (
        <SkeletonLines lines={3} />
      )}
    </section>
  )
}
