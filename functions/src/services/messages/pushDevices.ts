import { createHash } from 'node:crypto'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { PushMessage } from '~/domain/booking/eventTypes'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  findOptionalPush,
  type MessagePreferences,
  toPreferenceKey,
} from '~/domain/messages/messagePreferences'
import { logError } from '../../logs'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import type { Ports } from '../../ports/ports'
import type { NamedDevice, PushDevice } from '~/domain/accounts/types'

/** Maximum number of devices of one account; a further registration removes the oldest. */
export const MAX_DEVICES = 10
/** Maximum number of registrations in one read; simultaneous ones can briefly exceed the limit. */
const READ_LIMIT = 100
/** Fifty registrations at once may each lose to all others. */
const MAX_TRIES = 60

const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

const readDevice = (db: DatabasePort, token: string): Promise<PushDevice | null> =>
  db.read<PushDevice>(dbPaths.pushToken(hashToken(token)))

/** Returns the registered devices of an account, the newest first. */
const findDevices = async (db: DatabasePort, uid: string): Promise<PushDevice[]> => {
  const query = { by: 'uid', equalTo: uid, first: READ_LIMIT }
  const rows = await db.list<PushDevice>(dbPaths.pushTokens, query)
  return rows
    .map(([, device]) => device)
    .sort((a, b) => b.at - a.at || (a.token < b.token ? -1 : 1))
}

const readNamedDevice = (db: DatabasePort, uid: string): Promise<NamedDevice | null> =>
  db.read<NamedDevice>(internalPaths.namedDevice(uid))

/** Returns the token of the device that was registered last, or null. */
export const findNamedToken = async (db: DatabasePort, uid: string): Promise<string | null> =>
  (await readNamedDevice(db, uid))?.token ?? null

/** Returns the updates that name another device as the one registered last, or none. */
const nameDevice = (
  uid: string,
  device: Pick<PushDevice, 'token' | 'platform'> | undefined,
  before: NamedDevice | null,
): Record<string, DatabaseValue> => {
  const named = device && {
    token: device.token,
    ...(device.platform && { platform: device.platform }),
    revision: (before?.revision ?? 0) + 1,
  }
  return { [internalPaths.namedDevice(uid)]: named ?? null }
}

const removeRows = (devices: readonly PushDevice[]): Record<string, DatabaseValue> =>
  Object.fromEntries(devices.map(({ token }) => [dbPaths.pushToken(hashToken(token)), null]))

/** Returns the updates that take devices from an account, and name the newest one left. */
const buildDeviceRemoval = async (
  db: DatabasePort,
  uid: string,
  isRemoved: (token: string) => boolean,
): Promise<Record<string, DatabaseValue>> => {
  const [devices, named] = await Promise.all([findDevices(db, uid), readNamedDevice(db, uid)])
  const newest = devices.find(({ token }) => !isRemoved(token))
  return {
    ...removeRows(devices.filter(({ token }) => isRemoved(token))),
    ...(named !== null && isRemoved(named.token) && nameDevice(uid, newest, named)),
  }
}

/** Returns the updates that remove all devices of an account. */
export const buildAllDevicesRemoval = (db: DatabasePort, uid: string) =>
  buildDeviceRemoval(db, uid, () => true)

/**
 * Writes what `build` returns, and builds it again after a conflict. Returns false after too many
 * conflicts.
 */
const writeWithRetry = async (
  db: DatabasePort,
  build: () => Promise<Record<string, DatabaseValue>>,
): Promise<boolean> => {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const updates = await build()
    if (Object.keys(updates).length === 0) return true
    try {
      await db.update(updates)
      return true
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
    }
  }
  return false
}

/** Removes the devices of an account, which then gets no push. */
export const removeAllDevices = (db: DatabasePort, uid: string): Promise<boolean> =>
  writeWithRetry(db, () => buildAllDevicesRemoval(db, uid))

/** Removes one device from the account that has it. */
export const releaseDevice = (db: DatabasePort, token: string): Promise<boolean> =>
  writeWithRetry(db, async () => {
    const [device, holders] = await Promise.all([readDevice(db, token), findHolders(db, token)])
    const owners = new Set([...holders, ...(device ? [device.uid] : [])])
    const removals = [...owners].map((uid) => buildDeviceRemoval(db, uid, (one) => one === token))
    return Object.assign({}, ...(await Promise.all(removals))) as Record<string, DatabaseValue>
  })

const MAX_HOLDERS = 20
/** Returns the accounts that name a token; data of an earlier release can have several. */
const findHolders = async (db: DatabasePort, token: string): Promise<string[]> => {
  const query = { by: 'token', equalTo: token, first: MAX_HOLDERS }
  return (await db.list<NamedDevice>(internalPaths.namedDevices, query)).map(([id]) => id)
}

/** Returns the account whose pushes a token receives, or null. */
export const findTokenOwner = async (db: DatabasePort, token: string): Promise<string | null> =>
  (await readDevice(db, token))?.uid ?? (await findHolders(db, token))[0] ?? null

/**
 * Registers a device for an account, and removes it from any other one in the same write. Returns
 * false when too many accounts register the same device at once. Safe because the rules let a
 * registration move only together with the old owner's name for it: of two takeovers, the second is
 * refused and reads again.
 */
export const registerDevice = async (db: DatabasePort, device: PushDevice): Promise<boolean> => {
  const { uid, token } = device
  const isRegistered = await writeWithRetry(db, async () => {
    const [before, holders, named] = await Promise.all([
      readDevice(db, token),
      findHolders(db, token),
      readNamedDevice(db, uid),
    ])
    const others = new Set([...holders, ...(before ? [before.uid] : [])])
    others.delete(uid)
    const removals = [...others].map((id) => buildDeviceRemoval(db, id, (one) => one === token))
    return {
      ...(Object.assign({}, ...(await Promise.all(removals))) as Record<string, DatabaseValue>),
      [dbPaths.pushToken(hashToken(token))]: { ...device },
      ...nameDevice(uid, device, named),
    }
  })
  // The account may have been deleted since, and its devices must not outlive it.
  if ((await db.read(`${dbPaths.user(uid)}/usertype`)) === null)
    await db.update(await buildAllDevicesRemoval(db, uid))
  return isRegistered && removeOldestDevices(db, uid)
}

/**
 * Removes the devices beyond the limit. Simultaneous calls sort the same way, so they agree on
 * which ones.
 */
const removeOldestDevices = (db: DatabasePort, uid: string): Promise<boolean> =>
  writeWithRetry(db, async () => {
    const excess = new Set(
      (await findDevices(db, uid)).slice(MAX_DEVICES).map(({ token }) => token),
    )
    return excess.size === 0 ? {} : buildDeviceRemoval(db, uid, (token) => excess.has(token))
  })

/**
 * Returns the tokens that receive an account's pushes: those of its devices, and the named one if
 * no device has it. Data of earlier releases has a token without a device.
 */
export const findPushTokens = async (db: DatabasePort, uid: string): Promise<string[]> => {
  const [devices, named] = await Promise.all([findDevices(db, uid), findNamedToken(db, uid)])
  const tokens = devices.slice(0, MAX_DEVICES).map(({ token }) => token)
  if (!named || tokens.includes(named)) return tokens
  return (await readDevice(db, named)) === null ? [...tokens, named] : tokens
}

/** Returns true when the person has turned off this optional push. The inbox still has it. */
const isTurnedOff = async (db: DatabasePort, uid: string, title: string): Promise<boolean> => {
  const event = findOptionalPush(title)
  if (event === undefined) return false
  const preferences = await db.read<MessagePreferences>(internalPaths.messagePreferences(uid))
  return preferences?.off?.[toPreferenceKey(event, 'push')] === true
}

/**
 * Sends a push to all devices of an account, and removes those that the push service no longer
 * knows. Never rejects: the inbox has the message, and the change that it reports is done.
 */
export const pushToUser = async (
  { db, push }: Pick<Ports, 'db' | 'push'>,
  uid: string,
  message: Omit<PushMessage, 'to'>,
): Promise<void> => {
  try {
    if (await isTurnedOff(db, uid, message.title)) return
    const tokens = await findPushTokens(db, uid)
    await Promise.all(
      tokens.map(async (token) => {
        if ((await push.send(token, message)) === 'gone') await releaseDevice(db, token)
      }),
    )
  } catch (error) {
    logError('push', error)
  }
}
