import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { checkAction } from '~/domain/access/permissions'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { fail, throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import type { PersonNote } from '~/domain/accounts/types'

/** Saves the office's note about a person. */
export const save_note = defineUserEndpoint({
  name: 'save_note',
  summary:
    "Saves the office's note about a person, which only admins read. An empty text removes it. `revision` is that of the note that the caller saw, 0 without one; after a change by someone else the call is refused with changed_meanwhile.",
  allow: ['admin'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'changed_meanwhile'],
  async handle({ uid, text, revision }, { actor, db, now }) {
    throwIfError(checkAction('user_update', actor.role, await readSettings(db)))
    const path = internalPaths.personNote(uid)
    const readType = () => db.read<string>(`${dbPaths.user(uid)}/usertype`)
    const [usertype, storedNote] = await Promise.all([readType(), db.read<PersonNote>(path)])
    if (usertype === null) fail('not_found', 'uid')
    const before = storedNote?.revision ?? 0
    // A repeat of a request whose response was lost.
    if (before === revision + 1 && storedNote?.by === actor.uid && storedNote.text === text)
      return { revision: before }
    if (before !== revision) fail('changed_meanwhile', 'text', { revision: before })
    const note: PersonNote = { text, by: actor.uid, at: now, revision: before + 1 }
    const entry = { by: actor.uid, at: now, action: 'user_edit', path: dbPaths.user(uid) }
    try {
      await db.update({
        [path]: { ...note },
        // Names the field but not the text, because the audit outlives the personal data.
        ...buildAuditEntry({ ...entry, to: { fields: ['note'] } }, `${uid}/note/${note.revision}`),
      })
    } catch (error) {
      if (error instanceof WriteConflictError) return fail('changed_meanwhile', 'text')
      throw error
    }
    // The account may have been deleted since, and a note must not outlive it.
    if ((await readType()) === null) await db.update({ [path]: null })
    return { revision: note.revision }
  },
})
