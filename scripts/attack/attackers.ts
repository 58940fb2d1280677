import type { User } from '~/domain/entities'
import { plain } from '~/domain/booking/draft'
import { localDatabase, PROJECT, type LocalDatabase } from '../localDatabase'
import { signInAs } from '../localSession'
import type { Urls } from '../suiteConfig'
import { claimsOf, unsigned } from '../tokens'

/** Nobody, somebody without a profile, one not approved, one deleted meanwhile, and three honest accounts. */
export const STRANGERS = [
  'visitor',
  'unknown',
  'pending',
  'gone',
  'rider',
  'driver',
  'fleetadmin',
] as const
/** An admin in hostile hands, and the people whom the office's doings reach. */
export const OFFICE = ['admin', 'rider', 'driver', 'fleetadmin'] as const
type Kind = (typeof STRANGERS | typeof OFFICE)[number]
export interface Attacker {
  kind: Kind
  uid: string | null
  token: string | null
}
export interface Attackers {
  all: readonly Attacker[]
  uids: ReadonlySet<string>
  /** Removes their accounts. */
  leave(): Promise<void>
}

/** Tokens that must open nothing at a plain endpoint: of another project, expired, about nobody, torn. */
export const badTokens = (uid: string): string[] => {
  const claims = claimsOf(uid)
  const { iat } = claims
  const other = { aud: 'other-project', iss: 'https://securetoken.google.com/other-project' }
  return [
    unsigned({ ...claims, ...other }),
    unsigned({ ...claims, iat: iat - 7200, auth_time: iat - 7200, exp: iat - 3600 }),
    unsigned({ ...claims, sub: '', user_id: '' }),
    unsigned({ ...claims, sub: 'x'.repeat(200) }),
    unsigned({ ...claims, iss: 'https://evil.example' }),
    `${unsigned({}).split('.')[0]}.bm90IGpzb24.`,
    'a.b.c',
    'owner',
    'undefined',
  ]
}

/** Removes a sign-in account; one that is not there is none to remove. */
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

/** Makes the attackers' accounts in a running suite; their profiles are written past the rules and triggers. */
export const gather = async (
  urls: Urls,
  stamp: string,
  kinds: readonly Kind[],
): Promise<Attackers> => {
  const database: LocalDatabase = localDatabase(urls.database)
  const [carType = ''] = Object.keys(((await database.get('cartypes')) ?? {}) as object)
  const profile = (kind: Exclude<Kind, 'visitor' | 'unknown' | 'gone'>, uid: string): User => ({
    id: uid,
    usertype: kind === 'pending' ? 'driver' : kind,
    firstName: 'Attack',
    lastName: kind,
    mobile: `+1888${stamp.slice(-6)}${kinds.indexOf(kind)}`,
    email: `${uid}@example.com`,
    createdAt: new Date().toISOString(),
    approved: kind !== 'pending',
    walletBalance: 0,
    ...((kind === 'driver' || kind === 'pending') && {
      carType,
      queue: false,
      driverActiveStatus: false,
    }),
  })
  const all: Attacker[] = []
  for (const kind of kinds) {
    if (kind === 'visitor') {
      all.push({ kind, uid: null, token: null })
      continue
    }
    const uid = `attack-${kind}-${stamp}`
    const { idToken } = await signInAs(urls.auth, 'demo-key', uid)
    if (kind !== 'unknown' && kind !== 'gone')
      await database.put(`users/${uid}`, plain(profile(kind, uid)))
    all.push({ kind, uid, token: idToken })
  }
  const gone = all.find(({ kind }) => kind === 'gone')
  // His token is good for the rest of its hour.
  if (gone?.uid) await removeAccount(urls, gone.uid)
  const uids = all.flatMap(({ uid }) => uid ?? [])
  return {
    all,
    uids: new Set(uids),
    leave: async () => {
      for (const uid of uids) await removeAccount(urls, uid)
      for (const { uid } of all) if (uid) await database.put(`users/${uid}`, null)
    },
  }
}
