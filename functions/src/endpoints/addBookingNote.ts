import { toJson } from '~/domain/databaseValue'
import { dbPaths } from '~/domain/databasePaths'
import type { Booking, BookingNote } from '~/domain/entities'
import { checkAction } from '~/domain/permissions'
import { fail, throwIfError } from '../http/domainException'
import { defineUserEndpoint } from '../http/endpointTypes'
import { commitOrFail } from '../ports/commitRetry'
import { readSettings } from '../settings'

/** Adds the office's note to a booking. */
export const add_booking_note = defineUserEndpoint({
  name: 'add_booking_note',
  summary:
    "Adds the office's note to a booking, which only admins read and nobody changes. `note_id` is the client's own push key: repeating it adds nothing more.",
  allow: ['admin'],
  limit: 60,
  errors: ['not_found', 'already_processed', 'changed_meanwhile'],
  async handle({ booking_id, note_id, text }, context) {
    const { actor, db, now } = context
    throwIfError(checkAction('booking_note', actor.role, await readSettings(db)))
    const path = `${dbPaths.bookingNotes(booking_id)}/${note_id}`
    return commitOrFail(context, { subject: booking_id, event: 'note' }, async () => {
      const [customer, known] = await Promise.all([
        db.read<Booking['customer']>(`${dbPaths.booking(booking_id)}/customer`),
        db.read<BookingNote>(path),
      ])
      if (customer === null) fail('not_found', 'booking_id')
      const stateRead = [customer, known]
      if (known) {
        if (known.by !== actor.uid || known.text !== text) fail('already_processed', 'note_id')
        return { stateRead, now, result: { note_id, at: known.at } }
      }
      const note: BookingNote = { text, by: actor.uid, at: now }
      const effect = { updates: { [path]: toJson(note) }, pushes: [] }
      return { stateRead, now, effect, result: { note_id, at: now } }
    })
  },
})
