import { buildNotification } from '~/domain/messages/messageTable'
import { findOfficeAccessChange } from '~/domain/access/officeAccess'
import type { RoleSource } from '~/domain/access/roles'
import type { Effect } from '~/domain/money/wallet'
import type { OutboxPort } from '../../ports/outbox'
import { getProvedAddresses } from './provedAddresses'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the warning to a person whose access to the back office changes. `scope` names the
 * change, so that its repeat is the same message.
 */
export const buildOfficeAccessNotice = (
  user: Pick<User, 'id' | 'mobile' | 'email' | 'emailVerified'>,
  { before, after }: { before: RoleSource | null; after: RoleSource | null },
  { scope, now, outbox }: { scope: string; now: number; outbox: OutboxPort },
): Effect => {
  const event = findOfficeAccessChange(before, after)
  if (!event) return { updates: {}, pushes: [] }
  return {
    updates: outbox.buildUpdates({
      scope: `${user.id}-${scope}`,
      event,
      audience: 'account',
      uid: user.id,
      addresses: getProvedAddresses(user),
      at: now,
      now,
    }),
    pushes: [{ to: user.id, ...buildNotification(event, 'account') }],
  }
}
