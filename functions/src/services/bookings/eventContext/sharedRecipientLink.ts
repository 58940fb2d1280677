import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import type { OutboxMessage } from '~/domain/messages/outbox'
import type { Share } from '~/domain/access/shares'
import { isRecipientLinkName } from '../shareLinks'
import type { DatabasePort } from '../../../ports/database'
import type { EventReads } from './eventReads'

/** Sorts after every key that begins with the text before it. */
const LAST_CHARACTER = '\uf8ff'

/** Returns true when the recipient's message with the link has been handed to a service. */
const isRecipientTold = async (db: DatabasePort, booking: string): Promise<boolean> => {
  const messages = await db.list<OutboxMessage>(internalPaths.outbox, {
    by: '$key',
    startAt: `${booking}-`,
    endAt: `${booking}-${LAST_CHARACTER}`,
  })
  return messages.some(
    ([, { event, state }]) => event === 'parcel_sent' && (state === 'sent' || state === 'claimed'),
  )
}

/**
 * Returns the token of the customer's live link if the recipient got it: an earlier release sent
 * it, and this one has given them no link of their own. Null for an amendment that keeps the
 * recipient's number.
 */
export const readSharedRecipientLink = async ({
  db,
  id,
  input,
  booking,
}: Pick<EventReads, 'db' | 'id' | 'input' | 'booking'>): Promise<string | null> => {
  const isNumberSent = input.event === 'amend' && input.deliveryPersonPhone !== undefined
  if (!isNumberSent || !booking?.event_log?.accept) return null
  const links =
    (await db.read<Record<string, Partial<Record<Share['level'], string>>>>(
      dbPaths.shareLinks(id),
    )) ?? {}
  const token = links[booking.customer]?.live
  if (token === undefined || Object.keys(links).some(isRecipientLinkName)) return null
  const share = await db.read<Share>(dbPaths.share(token))
  return share && !share.revoked && (await isRecipientTold(db, id)) ? token : null
}
