import { checkAction } from '~/domain/access/permissions'
import { EXPORTED_COLLECTIONS } from '~/domain/office/exportedLists'
import { throwIfError } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { buildAuditEntry } from '../../services/office/auditEntry'
import { readSettings } from '../../services/office/settings'

/** Allows the caller to export a whole list of the office, and records who does. */
export const begin_export = defineUserEndpoint({
  name: 'begin_export',
  summary:
    'Asks for a fresh sign-in before a page of the office reads a whole list for a file, and records in the audit who exports which list. The page then reads the records that the caller may read.',
  allow: ['admin', 'fleetadmin'],
  limit: 30,
  spends: [],
  needsFreshSignIn: () => true,
  errors: ['fresh_sign_in_needed', 'demo_mode', 'not_allowed'],
  async handle({ list }, { actor, db, now }) {
    throwIfError(checkAction('table_export', actor.role, await readSettings(db)))
    const entry = {
      by: actor.uid,
      at: now,
      action: 'table_export',
      path: EXPORTED_COLLECTIONS[list],
      to: { list },
    }
    await db.update(buildAuditEntry(entry, `export-${list}-${actor.uid}`))
    return { success: true }
  },
})
