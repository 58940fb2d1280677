import {
  AMENDED_PUSH_INTERVAL_MS,
  type AmendmentNotice,
} from '~/domain/booking/limits/amendmentNotice'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { buildNotification } from '~/domain/messages/messageTable'
import { createPushKey } from '~/domain/data/pushKeys'
import { hashToNumber, notifyOnce } from '../messages/notifications'
import { WriteConflictError } from '../../ports/database'
import type { Ports } from '../../ports/ports'
import type { MessageParams } from '~/domain/messages/outbox'
import type { Booking } from '~/domain/booking/types'

type NoticePorts = Pick<Ports, 'db' | 'push'>

/** Records of one run. The next run continues with those due longest. */
const BATCH_SIZE = 200

/** Sends the amendments of a booking that waited for their push to its drivers. */
const sendNotice = async (
  ports: NoticePorts,
  id: string,
  { waiting = '', knownShare, due, revision }: AmendmentNotice,
  now: number,
): Promise<void> => {
  const { db } = ports
  const path = internalPaths.amendmentNotice(id)
  const booking = waiting ? await db.read<Booking>(dbPaths.booking(id)) : null
  if (!booking || booking.status === 'CANCELLED') {
    await db.update({ [path]: null })
    return
  }
  const drivers = [...Object.keys(booking.requestedDrivers ?? {}), booking.driver]
  const send = (to: string, event: 'amended' | 'share_lowered', params: MessageParams) =>
    notifyOnce(
      ports,
      {
        to,
        // The same key for a repeat of an interrupted run.
        key: createPushKey(due, hashToNumber(`${id}-${revision}-${event}`)),
        ...buildNotification(event, 'driver'),
        params,
        booking_id: id,
      },
      now,
    )
  for (const to of drivers) if (to) await send(to, 'amended', { changes: waiting })
  const { driver, driver_share: amount, reference } = booking
  if (driver !== undefined && knownShare !== undefined && amount < knownShare)
    await send(driver, 'share_lowered', { amount, reference })
  const updatedNotice: AmendmentNotice = {
    at: now,
    due: now + AMENDED_PUSH_INTERVAL_MS,
    revision: revision + 1,
  }
  await db.update({ [path]: { ...updatedNotice } })
}

/**
 * Sends what is due and removes old records. Safe beside an amendment, because both write the next
 * revision and the rules take one; the other one's fields are then sent by the next run.
 */
export const sendAmendmentNotices = async (ports: NoticePorts, now: number): Promise<number> => {
  const query = { by: 'due', startAt: 1, endAt: now, first: BATCH_SIZE }
  const due = await ports.db.list<AmendmentNotice>(internalPaths.amendmentNotices, query)
  for (const [id, notice] of due)
    try {
      await sendNotice(ports, id, notice, now)
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  return due.length
}
