import type { Value } from '~/domain/booking/change'
import type { PushNotification, User } from '~/domain/entities'
import { keyAt } from '~/domain/keys'
import { listingOf } from '~/domain/listing'
import { at } from '~/domain/paths'
import { randomFrom } from '~/domain/testing/random'
import { ADMIN_CREDIT, walletUpdates } from '~/domain/wallet'
import { completeWithdraw, requestWithdraw } from '~/domain/withdraws'
import { CANCEL_REASONS, carTypes, promos, SETTINGS } from './catalogue'
import { playHistory, type RouteBetween } from './history'
import { languages } from './languages'
import { available, people } from './people'
import { Tree } from './tree'

const DAY = 86_400_000
/** Any number does; the same one draws the same city. */
const SEED = 20_260_101

interface DemoCityInput {
  /** ms; the history ends here. */
  now: number
  /** Interface texts by locale. */
  texts: Record<string, Record<string, string>>
  routeBetween: RouteBetween
}

/** Typed values are plain JSON, which the type of a list of interfaces does not say. */
const plain = (value: object): Value => JSON.parse(JSON.stringify(value)) as Value
const byId = (list: readonly { id: string }[]): Value =>
  plain(Object.fromEntries(list.map((one) => [one.id, one])))

const PUSHES: Pick<PushNotification, 'devicetype' | 'usertype' | 'title' | 'body'>[] = [
  {
    devicetype: 'All',
    usertype: 'rider',
    title: 'Parcels by motorbike',
    body: 'Courier is now open in all of Montevideo.',
  },
  {
    devicetype: 'ANDROID',
    usertype: 'driver',
    title: 'Busy Friday',
    body: 'Many bookings are expected around Tres Cruces from 17:00.',
  },
  {
    devicetype: 'All',
    usertype: 'All',
    title: 'New in Kerbside',
    body: 'You can now follow a booking by link.',
  },
]

/**
 * The whole database of the demo city as it stands at `now`: settings, catalogue, people, a year of bookings with their
 * wallets, tracking and totals. The same `now` gives the same city.
 */
export async function demoCity({ now, texts, routeBetween }: DemoCityInput): Promise<Value> {
  const draw = randomFrom(SEED)
  const tree = new Tree()
  tree.set('settings', plain(SETTINGS))
  tree.set('cartypes', byId(carTypes(now)))
  tree.set('cancel_reason', plain(CANCEL_REASONS))
  tree.set('promos', byId(promos(now)))
  tree.set('languages', byId(languages(now, texts)))
  const { users, riders, drivers } = people(now, draw)
  tree.set('users', plain(users))

  const date = now - 366 * DAY
  const credit = (uid: string, amount: number) => {
    const entry = { type: 'Credit', amount, date, txRef: ADMIN_CREDIT } as const
    tree.commit({ updates: walletUpdates(uid, `${keyAt(date, 1)}-admin`, entry) })
  }
  for (const uid of riders) credit(uid, uid === 'seed-rider' ? 100 : draw.whole(0, 12) * 250 + 50)
  for (const uid of drivers) credit(uid, 3000)

  await playHistory({ tree, draw, now, settings: SETTINGS, routeBetween, riders, drivers })

  PUSHES.forEach((push, index) => {
    const createdAt = now - (index + 1) * 20 * DAY
    const id = keyAt(createdAt, 1)
    tree.set(`notifications/${id}`, { id, createdAt, ...push })
  })
  ;[3, 6, 12, 21].forEach((number, index) => {
    const uid = drivers[number]
    if (uid !== undefined) withdraw(tree, uid, now - (index * 9 + 1) * DAY, index > 1)
  })
  tree.set(
    'available_drivers',
    plain(available(tree.get<Record<string, User>>('users') ?? {}, now)),
  )
  const everybody = Object.entries(tree.get<Record<string, User>>('users') ?? {})
  tree.set('people', Object.fromEntries(everybody.map(([uid, user]) => [uid, listingOf(user)])))
  return tree.root
}

/** A driver took money out; the oldest requests have been paid. */
function withdraw(tree: Tree, uid: string, date: number, processed: boolean): void {
  const user = tree.get<User>(at.user(uid))
  if (!user) return
  const asked = requestWithdraw(user, { id: keyAt(date, 1), amount: 500, now: date }, SETTINGS)
  if (!asked.ok) throw new Error(`The demo's withdraw was refused: ${asked.error.key}`)
  tree.commit(asked.value)
  if (!processed) return
  const paid = completeWithdraw(asked.value.withdraw, date + DAY)
  if (!paid.ok) throw new Error(`The demo's withdraw was refused: ${paid.error.key}`)
  tree.commit(paid.value)
}
