import type { DatabaseValue } from '~/domain/data/databaseValue'
import { isReapprovalNeeded } from '~/domain/accounts/driverApproval'
import { buildApprovalUpdates } from '~/domain/access/roles'
import type { MemoryBackend } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/**
 * Changes the user's own record like the server, for tests: writes the fields and resets the
 * approval.
 */
export const saveUser = (
  { id, referralId, ...fields }: { id: string; referralId?: string } & Partial<User>,
  backend: MemoryBackend,
) => {
  const user = backend.at(`users/${id}`) as unknown as User
  const settings = backend.at('settings') as unknown as Settings
  const changed = Object.entries(fields).filter(
    ([name, value]) => (Reflect.get(user, name) ?? '') !== (value ?? ''),
  )
  const review =
    settings.driver_approval &&
    isReapprovalNeeded(
      user,
      changed.map(([name]) => name),
    )
  const written: [string, unknown][] = [
    ...changed,
    ...(referralId ? [['signupViaReferral', `of-${referralId}`] as [string, unknown]] : []),
  ]
  backend.update({
    ...Object.fromEntries(
      written.map(([name, value]) => [`users/${id}/${name}`, value as DatabaseValue]),
    ),
    ...(review && buildApprovalUpdates({ ...user, id }, false)),
  })
  return { id, approved: !review && user.approved }
}
