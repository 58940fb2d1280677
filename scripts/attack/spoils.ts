import type { DatabaseTree } from '~/domain/invariants'
import type { Random } from '~/domain/testing/random'
import type { Attackers } from './attackers'
import { hostileText } from './hostile'

type Chosen = (random: Random) => string

/** What is there to be taken: ids of other people's things, now and then a hostile text instead. */
export interface Spoils {
  booking: Chosen
  user: Chosen
  /** Somebody, but none of the attackers. */
  other: Chosen
  /** One of the attackers themselves. */
  attacker: Chosen
  carType: Chosen
  promo: Chosen
  payment: Chosen
  withdraw: Chosen
  share: Chosen
  pushToken: Chosen
  /** A path of the database that is there. */
  path: Chosen
}

const MOST = 200
const keysOf = (branch: unknown): string[] =>
  Object.keys((branch ?? {}) as object)
    .toSorted()
    .slice(-MOST)

/** Looks through a database for what an attacker would like to have. */
export const spoilsOf = (tree: DatabaseTree, { uids }: Attackers): Spoils => {
  const branches = tree as Record<string, unknown>
  const from =
    (ids: readonly string[]): Chosen =>
    (random) =>
      ids.length === 0 || random.chance(0.06) ? hostileText(random) : random.pick(ids)
  // Their own accounts too: what one may do to oneself is a door of its own.
  const users = [...keysOf(branches['users']), ...[...uids, ...uids]]
  const ofUser = Object.values((branches['users'] ?? {}) as Record<string, { pushToken?: string }>)
  const paths: string[] = []
  const walk = (path: string, value: unknown, depth: number) => {
    if (path !== '') paths.push(path)
    if (depth === 0 || typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value).slice(0, depth === 4 ? 99 : 25))
      walk(path === '' ? key : `${path}/${key}`, (value as Record<string, unknown>)[key], depth - 1)
  }
  walk('', branches, 4)
  return {
    booking: from(keysOf(branches['bookings'])),
    user: from(users),
    other: from(keysOf(branches['users']).filter((uid) => !uids.has(uid))),
    attacker: from([...uids]),
    carType: from(keysOf(branches['cartypes'])),
    promo: from(keysOf(branches['promos'])),
    payment: from(keysOf(branches['payments'])),
    withdraw: from(keysOf(branches['withdraws'])),
    share: from(keysOf(branches['shares'])),
    pushToken: from(ofUser.flatMap(({ pushToken }) => pushToken ?? []).slice(0, MOST)),
    path: from(paths),
  }
}
