import { useTranslation } from 'react-i18next'
import { BOOKING_NOTE_LENGTH } from '~/domain/booking/limits/limits'
import { domainError } from '~/domain/api/errors'
import { bookingNoteForm } from '~/domain/forms/complaintForms'
import { addBookingNote, bookingNotes } from '~/src/features/bookings/complaints'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { TextField } from '~/src/ui/forms/fields'
import { Refusal } from '~/src/ui/forms/Refusal'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { DateTime } from '~/src/ui/format/values'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { PersonName } from '../../people/PersonName'
import { useIdempotencyKey } from '~/src/store/useIdempotencyKey'
import { useOfficeSession } from '../../useOfficeSession'
import details from '../bookings.module.css'
import css from './complaints.module.css'

const NoteList = ({ booking }: { booking: string }) => {
  const { t } = useTranslation()
  const { notes, loading, error, retry } = useLive(bookingNotes, booking)
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  if (loading) return <SkeletonLines lines={2} />
  if (notes.length === 0) return <p className={details.muted}>{t('booking_notes_none')}</p>
  return (
    <ol className={details.timeline} aria-label={t('booking_notes')}>
      {notes.map(({ id, text, by, at }) => (
        <li key={id}>
          <p className={css.words} dir="auto">
            {text}
          </p>
          <span>
            <DateTime at={at} /> · <PersonName id={by} />
          </span>
        </li>
      ))}
    </ol>
  )
}

/** Lists the office's notes about a booking and adds one. Only admins may read them. */
export const BookingNotes = ({ booking }: { booking: string }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can, notify } = useOfficeSession()
  const { getKey, reset } = useIdempotencyKey()
  const { form, element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: bookingNoteForm,
    initial: { text: '' },
    onSubmit: async ({ text }) => {
      if (!can('booking_note')) throw domainError('not_allowed')
      const note_id = await getKey({ booking, text })
      await dispatch(addBookingNote.quiet({ booking_id: booking, note_id, text })).unwrap()
      notify('booking_note_added')
      reset()
      form.reset()
    },
  })
  return (
    <>
      <h4>{t('booking_notes')}</h4>
      <NoteList booking={booking} />
      <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          multiline
          rows={2}
          label={t('booking_note')}
          hint={t('booking_note_hint')}
          maxLength={BOOKING_NOTE_LENGTH}
          {...field('text')}
        />
        <Refusal>{problem}</Refusal>
        <div className={css.buttons}>
          <Button type="submit" busy={isSubmitting}>
            {t('booking_note_add')}
          </Button>
        </div>
      </form>
    </>
  )
}
