import { dbPaths } from '~/domain/data/databasePaths'
import type { Share, ShareLevel } from '~/domain/access/shares'
import { WriteConflictError } from '../../ports/database'
import { hashWithSalt, type Config } from '../../config'
import { fail } from '../../domainException'
import type { Ports } from '../../ports/ports'

const RECIPIENT_PREFIX = 'recipient-'

/**
 * Returns the name under which the recipient of a booking has a link. It follows from their phone
 * number, so a corrected number has a link of its own.
 */
export const getRecipientLinkName = (
  config: Pick<Config, 'salt'>,
  booking: string,
  phone: string,
): string =>
  `${RECIPIENT_PREFIX}${hashWithSalt(`recipient:${booking}:${phone.trim()}`, config).slice(0, 22)}`

/** Returns true for the name of a recipient, and false for an account's uid. */
export const isRecipientLinkName = (by: string): boolean => by.startsWith(RECIPIENT_PREFIX)

/**
 * Returns true when a link is no recipient's, or that of the recipient whose number the booking has
 * now.
 */
export const isOfCurrentRecipient = async (
  { db, config }: Pick<Ports, 'db' | 'config'>,
  { by, booking }: Pick<Share, 'by' | 'booking'>,
): Promise<boolean> => {
  if (!isRecipientLinkName(by)) return true
  const phone = await db.read<string>(`${dbPaths.bookingContacts(booking)}/deliveryPersonPhone`)
  return phone !== null && getRecipientLinkName(config, booking, phone) === by
}

/**
 * Maximum attempts to create a link. Of several simultaneous calls, one creates it and the others
 * find it.
 */
const MAX_TRIES = 10

interface LinkRequest {
  booking: string
  /** The account, or the recipient, whose link it is. */
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
    const linkedToken = await db.read<string>(link)
    const share = linkedToken === null ? null : await db.read<Share>(dbPaths.share(linkedToken))
    const isLive = share !== null && !share.revoked && share.expires > now
    const token = isLive && linkedToken !== null ? linkedToken : random.createToken()
    if (keepsLater && isLive && share.expires >= expires) return token
    try {
      await db.update(
        isLive
          ? { [`${dbPaths.share(token)}/expires`]: expires }
          : {
              [dbPaths.share(token)]: { booking, by, level, at: now, expires },
              [link]: token,
              // The previous link has expired or was revoked.
              ...(linkedToken !== null && { [dbPaths.share(linkedToken)]: null }),
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
