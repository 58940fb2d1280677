import { readConfig } from './config'
import type { Ports } from './http/endpointTypes'
import { createRefusalCounter } from './http/refusalCounter'
import { createLocalService, createOutgoingStore } from './messages/localService'
import { createMessageService } from './messages/messageService'
import { createPaymentService } from './payments/paymentService'
import { createBookingService } from './ports/bookingService'
import { systemClock } from './ports/clock'
import { firebaseAccounts } from './ports/firebaseAccounts'
import { cloudTasks } from './ports/cloudTasks'
import { createFirebaseDatabase } from './ports/firebaseDatabase'
import { firebaseFiles } from './ports/firebaseFiles'
import { firebasePush } from './ports/firebasePush'
import { createLazyMaps } from './ports/lazyMaps'
import { createEmulatorStore, createLocalPush } from './ports/localPush'
import { cryptoRandom } from './ports/random'
import { noTasks } from './ports/tasks'
import { loadBundledTexts } from './ports/texts'

/** Returns the real ports, chosen by the environment. Nothing connects before its first use. */
export const createDependencies = (env: Readonly<Record<string, string | undefined>>): Ports => {
  const config = readConfig(env)
  const db = createFirebaseDatabase()
  const maps = createLazyMaps(async () =>
    (await import('./maps/mapsSelection')).createMapsFromEnv(env),
  )
  const push = config.isLocal ? createLocalPush(createEmulatorStore(env)) : firebasePush
  const messages = config.isLocal
    ? createLocalService(createOutgoingStore(env))
    : createMessageService(env)
  const parts = { db, maps, push, clock: systemClock, random: cryptoRandom }
  const bookings = createBookingService(parts)
  return {
    config,
    db,
    maps,
    push,
    refusals: createRefusalCounter(db),
    messages,
    clock: systemClock,
    accounts: firebaseAccounts,
    files: firebaseFiles,
    payments: createPaymentService({ env, ...parts, bookings }),
    random: cryptoRandom,
    tasks: config.isLocal ? noTasks : cloudTasks,
    texts: loadBundledTexts,
    bookings,
  }
}
