import type { DatabaseTree } from '~/domain/data/databaseTree'
import type { Random } from '~/domain/data/seededRandom'
import type { AttackerGroup } from './attackers'
import { pickHostileText } from './hostileValues'

type TargetPicker = (random: Random) => string

/** Ids and paths that an attacker would target, sometimes replaced by a hostile text. */
export interface Targets {
  booking: TargetPicker
  user: TargetPicker
  /** Returns the id of a user who is not an attacker. */
  other: TargetPicker
  /** Returns the id of an attacker. */
  attacker: TargetPicker
  carType: TargetPicker
  promo: TargetPicker
  payment: TargetPicker
  withdraw: TargetPicker
  share: TargetPicker
  pushToken: TargetPicker
  /** Returns an existing database path. */
  path: TargetPicker
}

const MAX_TARGETS = 200
const getKeys = (branch: unknown): string[] =>
  Object.keys(branch ?? {})
    .toSorted()
    .slice(-MAX_TARGETS)

/** Collects the ids and paths of a database that an attacker would target. */
export const collectTargets = (tree: DatabaseTree, { uids }: AttackerGroup): Targets => {
  const branches = tree as Record<string, unknown>
  const from =
    (ids: readonly string[]): TargetPicker =>
    (random) =>
      ids.length === 0 || random.chance(0.06) ? pickHostileText(random) : random.pick(ids)
  // Includes the attackers' own accounts, because users may do more to their own data.
  const users = [...getKeys(branches['users']), ...[...uids, ...uids]]
  const internal = (branches['internal'] ?? {}) as Record<string, unknown>
  const devices = Object.values(
    (internal['named_devices'] ?? {}) as Record<string, { token: string }>,
  )
  const paths: string[] = []
  const walk = (path: string, value: unknown, depth: number) => {
    if (path !== '') paths.push(path)
    if (depth === 0 || typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value).slice(0, depth === 4 ? 99 : 25))
      walk(path === '' ? key : `${path}/${key}`, (value as Record<string, unknown>)[key], depth - 1)
  }
  walk('', branches, 4)
  return {
    booking: from(getKeys(branches['bookings'])),
    user: from(users),
    other: from(getKeys(branches['users']).filter((uid) => !uids.has(uid))),
    attacker: from([...uids]),
    carType: from(getKeys(branches['cartypes'])),
    promo: from(getKeys(branches['promos'])),
    payment: from(getKeys(branches['payments'])),
    withdraw: from(getKeys(branches['withdraws'])),
    share: from(getKeys(branches['shares'])),
    pushToken: from(devices.map(({ token }) => token).slice(0, MAX_TARGETS)),
    path: from(paths),
  }
}
