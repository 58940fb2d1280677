import { readConfig } from './config'
import type { Ports } from './definition'
import { paymentDesk } from './payments/desk'
import { bookingsIn } from './ports/bookings'
import { systemClock } from './ports/clock'
import { firebaseAccounts } from './ports/firebaseAccounts'
import { firebaseDatabase } from './ports/firebaseDatabase'
import { firebaseFiles } from './ports/firebaseFiles'
import { firebasePush } from './ports/firebasePush'
import { lazily } from './ports/maps'
import { inboxOnly } from './ports/push'
import { cryptoRandom } from './ports/random'
import { bundledTexts } from './ports/texts'

/** The real parts of the outside world, chosen by the environment; nothing connects before it is used. */
export const wiring = (env: Readonly<Record<string, string | undefined>>): Ports => {
  const config = readConfig(env)
  const db = firebaseDatabase()
  const maps = lazily(async () => (await import('./maps/choose')).chooseMaps(env))
  const push = config.local ? inboxOnly : firebasePush
  const parts = { db, maps, push, clock: systemClock, random: cryptoRandom }
  const bookings = bookingsIn(parts)
  return {
    config,
    db,
    maps,
    push,
    accounts: firebaseAccounts,
    files: firebaseFiles,
    payments: paymentDesk({ env, ...parts, bookings }),
    random: cryptoRandom,
    texts: bundledTexts,
    bookings,
  }
}
