import { useState } from 'react'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { auditEntries } from '~/src/features/audit/audit'
import { liveUsers } from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { isDeepEqual } from '~/src/ui/isDeepEqual'
import type { AuthorLookup } from '~/src/ui/forms/useEditForm'
import { getFieldChanges, filterEntriesByPath } from './auditedRecords'
import type { AuditEntry } from '~/domain/office/types'

/** Maximum number of entries read; one record gets fewer changes while a form is open. */
const MAX_FETCHED = 20

/**
 * Returns true when the entry covers this change: either the field by its name, or the whole row
 * that contains it.
 */
const isEntryOfChange = (entry: AuditEntry, name: string, to: unknown): boolean =>
  getFieldChanges(entry).some((change) => {
    if (change.name === 'fields') return Object.values(change.to as object).includes(name)
    if (change.name === name) return isDeepEqual(change.to ?? null, to ?? null)
    const row = change.to
    return typeof row === 'object' && row !== null && name in row
      ? isDeepEqual((row as Record<string, unknown>)[name], to)
      : false
  })

/**
 * Returns a lookup that names the people who change a form's record while it is open, from the
 * audit of `path`. It reads nothing until such a change occurs. Only admins may read the audit.
 */
export const useEditAuthors = (path: string | undefined): AuthorLookup => {
  const [isAsked, setAsked] = useState(false)
  const { entries: fetchedEntries } = useLive(auditEntries, {
    size: isAsked && path ? MAX_FETCHED : 0,
    ...(path && { path }),
  })
  const entries = path ? filterEntriesByPath(path, fetchedEntries) : []
  const { users: people } = useLive(liveUsers, { ids: [...new Set(entries.map(({ by }) => by))] })
  return {
    onConcurrentEdit: () => setAsked(true),
    getAuthor: (name, to) => {
      const entry = entries.find((one) => isEntryOfChange(one, name, to))
      const person = entry && people.find(({ id }) => id === entry.by)
      return (person && formatFullName(person)) || undefined
    },
  }
}
