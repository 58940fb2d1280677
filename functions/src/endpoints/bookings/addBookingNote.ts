import { raiseRevision } from '~/domain/booking/bookingRevision'
import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import { fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { commitOrFail } from '../../services/bookings/commitRetry'
import { readSettings } from '../../services/office/settings'
import { assertPartiesExist } from '../../services/users/bookingParties'
import type { Booking, BookingNote } from '~/domain/booking/types'

/** Adds the office's note to a booking. */
export const add_booking_note = defineUserEndpoint({
  name: 'add_booking_note',
  summary:
    "Adds the office's note to a booking, which only admins read and nobody changes. `note_id` is the client's own push key: repeating it adds nothing more. Refused with not_found when a party has deleted their account.",
  allow: ['admin'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'already_processed', 'changed_meanwhile'],
  async handle({ booking_id, note_id, text }, context) {
    const { actor, db, now } = context
    throwIfError(checkAction('booking_note', actor.role, await readSettings(db)))
    const path = `${dbPaths.bookingNotes(booking_id)}/${note_id}`
    return commitOrFail(context, { subject: booking_id, event: 'note' }, async () => {
      const [booking, existingNote] = await Promise.all([
        db.read<Booking>(dbPaths.booking(booking_id)),
        db.read<BookingNote>(path),
      ])
      if (!booking) return fail('not_found', 'booking_id')
      const stateRead = [booking.revision, existingNote]
      if (existingNote) {
        if (existingNote.by !== actor.uid || existingNote.text !== text)
          fail('already_processed', 'note_id')
        return { stateRead, now, result: { note_id, at: existingNote.at } }
      }
      await assertPartiesExist(db, booking)
      const note: BookingNote = { text, by: actor.uid, at: now }
      const updates = { ...raiseRevision({ ...booking, id: booking_id }), [path]: toJson(note) }
      const effect = { updates, pushes: [] }
      return { stateRead, now, effect, result: { note_id, at: now } }
    })
  },
})
