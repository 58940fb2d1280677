import { toJson } from '~/domain/data/databaseValue'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { dbPaths } from '~/domain/data/databasePaths'
import { getRole } from '~/domain/access/roles'
import { openLocalDatabase, PROJECT, type LocalDatabase } from '~/scripts/local/localDatabase'
import { signInAs } from '~/scripts/local/localSession'
import type { Urls } from '~/scripts/local/suiteConfig'
import { createClaims, createUnsignedToken } from '~/scripts/local/tokens'
import type { User } from '~/domain/accounts/types'

/**
 * A visitor, accounts without a profile, not approved or already deleted, and three honest
 * accounts.
 */
export const STRANGER_KINDS = [
  'visitor',
  'unknown',
  'pending',
  'gone',
  'rider',
  'driver',
  'fleetadmin',
] as const
/** A hostile admin and the people whom an admin's actions affect. */
export const OFFICE_KINDS = ['admin', 'rider', 'driver', 'fleetadmin'] as const
type AttackerKind = (typeof STRANGER_KINDS | typeof OFFICE_KINDS)[number]
export interface Attacker {
  kind: AttackerKind
  uid: string | null
  token: string | null
}
export interface AttackerGroup {
  all: readonly Attacker[]
  uids: ReadonlySet<string>
  /** Removes the attackers' accounts. */
  removeAccounts(): Promise<void>
}

/**
 * Returns tokens that a plain endpoint must reject: for another project, expired, without a user,
 * truncated.
 */
export const createBadTokens = (uid: string): string[] => {
  const claims = createClaims(uid)
  const { iat } = claims
  const other = { aud: 'other-project', iss: 'https://securetoken.google.com/other-project' }
  return [
    createUnsignedToken({ ...claims, ...other }),
    createUnsignedToken({ ...claims, iat: iat - 7200, auth_time: iat - 7200, exp: iat - 3600 }),
    createUnsignedToken({ ...claims, sub: '', user_id: '' }),
    createUnsignedToken({ ...claims, sub: 'x'.repeat(200) }),
    createUnsignedToken({ ...claims, iss: 'https://evil.example' }),
    `${createUnsignedToken({}).split('.')[0]}.bm90IGpzb24.`,
    'a.b.c',
    'owner',
    'undefined',
  ]
}

/** Removes a sign-in account; does nothing when it does not exist. */
export const removeAccount = async (urls: Urls, uid: string): Promise<void> => {
  await fetch(
    `${urls.auth}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:delete`,
    {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: JSON.stringify({ localId: uid }),
    },
  )
}

/**
 * Gives a sign-in account the role that the functions would give it; the next token carries the
 * role.
 */
export const giveRole = async (urls: Urls, uid: string, role: string): Promise<void> => {
  await fetch(
    `${urls.auth}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:update`,
    {
      method: 'POST',
      headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
      body: JSON.stringify({ localId: uid, customAttributes: JSON.stringify({ role }) }),
    },
  )
}

type ProfileKind = Exclude<AttackerKind, 'visitor' | 'unknown' | 'gone'>

const createProfile = (kind: ProfileKind, own: Pick<User, 'id' | 'mobile' | 'carType'>): User => {
  const { id, mobile, carType } = own
  return {
    id,
    usertype: kind === 'pending' ? 'driver' : kind,
    firstName: 'Attack',
    lastName: kind,
    mobile,
    email: `${id}@example.com`,
    createdAt: new Date().toISOString(),
    approved: kind !== 'pending',
    walletBalance: 0,
    ...((kind === 'driver' || kind === 'pending') && {
      ...(carType !== undefined && { carType }),
      queue: false,
      driverActiveStatus: false,
    }),
  }
}

/**
 * Creates the attackers' accounts in a running suite. Writes their profiles without rules and
 * triggers.
 */
export const createAttackers = async (
  urls: Urls,
  stamp: string,
  kinds: readonly AttackerKind[],
): Promise<AttackerGroup> => {
  const database: LocalDatabase = openLocalDatabase(urls.database)
  const [carType = ''] = Object.keys((await database.get('cartypes')) ?? {})
  const toMobile = (kind: AttackerKind) => `+1888${stamp.slice(-6)}${kinds.indexOf(kind)}`
  const all: Attacker[] = []
  for (const kind of kinds) {
    if (kind === 'visitor') {
      all.push({ kind, uid: null, token: null })
      continue
    }
    const uid = `attack-${kind}-${stamp}`
    const first = await signInAs(urls.auth, 'demo-key', uid, toMobile(kind))
    if (kind === 'unknown' || kind === 'gone') {
      all.push({ kind, uid, token: first.idToken })
      continue
    }
    const user = createProfile(kind, { id: uid, mobile: toMobile(kind), carType })
    await database.put(dbPaths.user(uid), toJson(user))
    await database.put(dbPaths.role(uid), getRole(user))
    await database.put(dbPaths.directoryEntry(uid), toDirectoryEntry(user))
    await giveRole(urls, uid, kind === 'pending' ? 'none' : kind)
    all.push({ kind, uid, token: (await signInAs(urls.auth, 'demo-key', uid)).idToken })
  }
  const gone = all.find(({ kind }) => kind === 'gone')
  // The token of the deleted account stays valid for the rest of its hour.
  if (gone?.uid) await removeAccount(urls, gone.uid)
  const uids = all.flatMap(({ uid }) => uid ?? [])
  return {
    all,
    uids: new Set(uids),
    removeAccounts: async () => {
      for (const uid of uids) await removeAccount(urls, uid)
      for (const uid of uids)
        for (const path of [dbPaths.user(uid), dbPaths.role(uid), dbPaths.directoryEntry(uid)])
          await database.put(path, null)
    },
  }
}
