import type { Value } from '~/domain/booking/change'
import { plain } from '~/domain/booking/draft'
import type { AuditEntry } from '~/domain/entities'
import { auditKey } from '~/domain/keys'
import { at } from '~/domain/paths'

/** An audit entry for the update that does what it tells of; `subject` makes its key. */
export const audited = (entry: AuditEntry, subject: string): Record<string, Value> => ({
  [at.audit(auditKey(entry.at, subject, 0))]: plain(entry),
})
