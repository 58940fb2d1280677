import { toJson, type DatabaseValue } from '~/domain/databaseValue'
import type { AuditEntry } from '~/domain/entities'
import { createAuditKey } from '~/domain/pushKeys'
import { dbPaths } from '~/domain/databasePaths'

/** Returns an audit entry for the update that makes the change. `subject` determines its key. */
export const buildAuditEntry = (
  entry: AuditEntry,
  subject: string,
): Record<string, DatabaseValue> => ({
  [dbPaths.audit(createAuditKey(entry.at, subject, 0))]: toJson(entry),
})
