import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import { createAuditKey } from '~/domain/data/pushKeys'
import { dbPaths } from '~/domain/data/databasePaths'
import type { AuditEntry } from '~/domain/office/types'

/** Returns an audit entry for the update that makes the change. `subject` determines its key. */
export const buildAuditEntry = (
  entry: AuditEntry,
  subject: string,
): Record<string, DatabaseValue> => ({
  [dbPaths.audit(createAuditKey(entry.at, subject, 0))]: toJson(entry),
})
