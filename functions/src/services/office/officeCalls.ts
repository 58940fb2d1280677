import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { hashWithSalt } from '../../config'
import { logError } from '../../logs'
import { WriteConflictError } from '../../ports/database'
import type { Ports } from '../../ports/ports'
import type { RequestContext } from '../../ports/requestContext'
import type { OfficeCall } from '~/domain/office/types'

/** Milliseconds that a call stays on the screens when it is not answered. */
const RING_MS = 120_000
/** Milliseconds within which the same number means the same call: telephone systems repeat. */
const REPEAT_MS = 5_000
const BATCH_SIZE = 200

type CallContext = Pick<RequestContext, 'db' | 'config' | 'now'>

/**
 * Returns the id of a call that came in during the given window of `REPEAT_MS`. Ids sort by time.
 */
const createCallId = (number: string, window: number, config: CallContext['config']): string =>
  `${window.toString(36)}-${hashWithSalt(number, config).slice(0, 22)}`

/** Announces a call to the screens of the office. A repeat within five seconds changes nothing. */
export const announceCall = async (
  { db, config, now }: CallContext,
  { number, extension }: Pick<OfficeCall, 'extension'> & { number: string },
): Promise<void> => {
  const window = Math.floor(now / REPEAT_MS)
  const [path, previous] = [window, window - 1].map((at) =>
    dbPaths.officeCall(createCallId(number, at, config)),
  ) as [string, string]
  const before = await db.read<OfficeCall>(previous)
  if (before && now - before.at < REPEAT_MS) return
  const expires = now + RING_MS
  const call: OfficeCall = {
    number,
    ...(extension && { extension }),
    at: now,
    expires,
    revision: 1,
  }
  try {
    await db.update({ [path]: toJson(call) })
  } catch (error) {
    // Safe because a call is created once: the same call was announced a moment ago.
    if (!(error instanceof WriteConflictError)) throw error
  }
}

/**
 * Removes the number of a call, so that the call leaves every screen. Returns true for the one
 * person who answered it first. The rest of the call stays until it expires, so that a repeat does
 * not announce it again.
 */
export const answerCall = async ({ db }: Pick<CallContext, 'db'>, id: string): Promise<boolean> => {
  const path = dbPaths.officeCall(id)
  const call = await db.read<OfficeCall>(path)
  if (call?.number === undefined) return false
  const { at, expires, revision } = call
  try {
    await db.update({ [path]: { at, expires, revision: revision + 1 } })
    return true
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error
    return false
  }
}

/** Removes the oldest calls and alerts that no screen shows anymore, at most 200 in each run. */
export const removeExpiredCalls = async ({ db }: Pick<Ports, 'db'>, now: number): Promise<void> => {
  const oldest = await db.list<OfficeCall>(dbPaths.officeCalls, { by: '$key', first: BATCH_SIZE })
  const expired = oldest.filter(([, { expires }]) => expires <= now)
  if (expired.length === 0) return
  try {
    await db.update(Object.fromEntries(expired.map(([id]) => [dbPaths.officeCall(id), null])))
  } catch (error) {
    logError('sweep', error)
  }
}
