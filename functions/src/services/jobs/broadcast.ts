import type { BroadcastNotificationInput } from '~/domain/api/inputs/messages'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { isNotificationTarget } from '~/domain/messages/notificationTargets'
import { logError } from '../../logs'
import { notifyOnce } from '../messages/notifications'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import { createTimeBudget } from './timeBudget'
import type { Ports } from '../../ports/ports'
import type { NamedDevice, User } from '~/domain/accounts/types'
import type { PushNotification } from '~/domain/messages/types'

/** Accounts per page, and accounts that are worked on at the same time. */
const PAGE_SIZE = 200
const MAX_CONCURRENT = 50
/** Maximum number of unfinished broadcasts that one run of the scheduled job continues. */
const MAX_PER_RUN = 5
/** Milliseconds of one run of the scheduled job, and the pause after which it takes one over. */
const RUN_BUDGET_MS = 20_000
const TAKEOVER_MS = 60_000

/** How far an unfinished broadcast has come. Removed when it is complete. */
interface BroadcastProgress {
  /** The uid of the last account of the last complete page. */
  after: string
  /** Recipients so far. */
  matched: number
  /** Time of the last work, ms. */
  at: number
  /** Of two runs at once, the one that saves second stops. */
  revision: number
}

interface BroadcastResult {
  matched: number
  /** Recipients that this run reached. */
  sent: number
  isDone: boolean
}

type BroadcastPorts = Pick<Ports, 'db' | 'push' | 'clock'>
type Message = BroadcastNotificationInput

/**
 * Sends a message to all users it targets, in the order of their uids, until time runs out; a
 * repeat continues with the page at which the last run stopped. Reads the roles of all accounts,
 * and of the targeted ones their device. `onFirst` runs before the first delivery.
 */
export const runBroadcast = async (
  ports: BroadcastPorts,
  message: Message,
  hasTime: () => boolean,
  onFirst: () => Promise<void>,
): Promise<BroadcastResult> => {
  const { db, clock } = ports
  const path = internalPaths.broadcast(message.notification_id)
  const progress = await db.read<BroadcastProgress>(path)
  let { after, matched, revision } = progress ?? { after: '', matched: 0, revision: 0 }
  let sentCount = 0
  const save = () =>
    saveProgress(db, path, { after, matched, at: clock.now(), revision: (revision += 1) })
  for (;;) {
    const page = await listRoles(db, after)
    const targets = await findTargets(db, page, message)
    if (targets.length > 0 && matched === 0) {
      // From here on the scheduled job completes the broadcast if this process dies.
      if (!(await save())) return { matched: targets.length, sent: sentCount, isDone: false }
      await onFirst()
    }
    sentCount += await deliver(ports, targets, message)
    matched += targets.length
    after = page.at(-1)?.[0] ?? after
    if (page.length < PAGE_SIZE) {
      if (revision > 0) await db.update({ [path]: null })
      return { matched, sent: sentCount, isDone: true }
    }
    if (!(await save()) || !hasTime()) return { matched, sent: sentCount, isDone: false }
  }
}

/** Continues broadcasts that a call left unfinished, by its time limit or by its death. */
export const continueBroadcasts = async (ports: BroadcastPorts, now: number): Promise<void> => {
  const hasTime = createTimeBudget(RUN_BUDGET_MS)
  const open = await ports.db.list<BroadcastProgress>(internalPaths.broadcasts, {
    by: '$key',
    first: MAX_PER_RUN,
  })
  for (const [id, { at }] of open) {
    if (now - at < TAKEOVER_MS || !hasTime()) continue
    try {
      const stored = await ports.db.read<PushNotification>(dbPaths.notification(id))
      if (!stored) await ports.db.update({ [internalPaths.broadcast(id)]: null })
      else {
        const message: Message = { ...stored, notification_id: id }
        await runBroadcast(ports, message, hasTime, () => Promise.resolve())
      }
    } catch (error) {
      logError('continue_broadcast', error)
    }
  }
}

const listRoles = (db: DatabasePort, after: string): Promise<[string, User['usertype']][]> =>
  db.list('roles', { by: '$key', first: PAGE_SIZE, ...(after !== '' && { afterKey: after }) })

/** Saves the progress. Returns false when another run saved first. */
const saveProgress = async (
  db: DatabasePort,
  path: string,
  progress: BroadcastProgress,
): Promise<boolean> => {
  try {
    await db.update({ [path]: { ...progress } })
    return true
  } catch (error) {
    if (error instanceof WriteConflictError) return false
    throw error
  }
}

/** Runs `work` for all items, at most MAX_CONCURRENT at the same time. */
const mapInBatches = async <Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += MAX_CONCURRENT)
    results.push(...(await Promise.all(items.slice(at, at + MAX_CONCURRENT).map(work))))
  return results
}

type Target = Pick<User, 'id' | 'usertype'> & { device: NamedDevice | null }

/** Returns the accounts of a page that the message is for. An account with a role is approved. */
const findTargets = async (
  db: DatabasePort,
  page: readonly [string, User['usertype']][],
  message: Message,
): Promise<Target[]> => {
  const addressees = page.filter(
    ([, role]) => message.usertype === 'All' || message.usertype === role,
  )
  const targets = await mapInBatches(addressees, async ([uid, usertype]): Promise<Target> => ({
    id: uid,
    usertype,
    device: await db.read<NamedDevice>(internalPaths.namedDevice(uid)),
  }))
  return targets.filter((target) => isNotificationTarget(target, message))
}

/** Sends the message to each recipient once and returns the number reached. */
const deliver = async (
  ports: BroadcastPorts,
  targets: readonly Target[],
  { notification_id: key, title, body }: Message,
): Promise<number> => {
  const message = { key, title, msg: body, screen: 'BookedCab' as const }
  const now = ports.clock.now()
  const reached = await mapInBatches(targets, ({ id: to }) =>
    notifyOnce(ports, { ...message, to }, now),
  )
  return reached.filter(Boolean).length
}
