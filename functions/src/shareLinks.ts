import { dbPaths } from '~/domain/databasePaths'
import type { Share, ShareLevel } from '~/domain/shares'
import type { Ports } from './http/endpointTypes'
import { WriteConflictError } from './ports/database'
import { fail } from './http/domainException'

/**
 * Maximum attempts to create a link. Of several simultaneous calls, one creates it and the others
 * find it.
 */
const MAX_TRIES = 10

interface LinkRequest {
  booking: string
  /** The account whose link it is. */
  by: string
  level: ShareLevel
  /** ms */
  now: number
  expires: number
  /** True to leave a link that ends later as it is. */
  keepsLater?: boolean
}

/** Returns the token of a person's link at a level. Creates the link when none exists. */
export const createOrExtendLink = async (
  { db, random }: Pick<Ports, 'db' | 'random'>,
  { booking, by, level, now, expires, keepsLater = false }: LinkRequest,
): Promise<string> => {
  const link = dbPaths.shareLink(booking, by, level)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const known = await db.read<string>(link)
    const share = known === null ? null : await db.read<Share>(dbPaths.share(known))
    const isLive = share !== null && !share.revoked && share.expires > now
    const token = isLive && known !== null ? known : random.createToken()
    if (keepsLater && isLive && share.expires >= expires) return token
    try {
      await db.update(
        isLive
          ? { [`${dbPaths.share(token)}/expires`]: expires }
          : {
              [dbPaths.share(token)]: { booking, by, level, at: now, expires },
              [link]: token,
              // The previous link has expired or was revoked.
              ...(known !== null && { [dbPaths.share(known)]: null }),
            },
      )
      return token
    } catch (error) {
      // Another call created a link, or the scheduled job removed the old one, so read again.
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  return fail('changed_meanwhile')
}
