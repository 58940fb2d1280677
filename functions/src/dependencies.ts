import { readConfig } from './config'
import { createRefusalCounter } from './http/refusalCounter'
import { createLocalService, createOutgoingStore } from './adapters/messages/localService'
import { createMessageService } from './adapters/messages/messageService'
import { ADAPTERS } from './adapters/payments/adapters'
import { createPaymentService } from './services/payments/paymentService'
import { createBookingService } from './services/bookings/bookingService'
import { firebaseAccounts } from './adapters/firebase/firebaseAccounts'
import { cloudTasks } from './adapters/firebase/cloudTasks'
import { createFirebaseDatabase } from './adapters/firebase/firebaseDatabase'
import { firebaseFiles } from './adapters/firebase/firebaseFiles'
import { firebasePush } from './adapters/firebase/firebasePush'
import { createLazyMaps } from './ports/lazyMaps'
import { createEmulatorStore, createLocalPush } from './adapters/firebase/localPush'
import { outbox } from './ports/outbox'
import { noTasks } from './ports/tasks'
import type { Ports } from './ports/ports'
import { systemClock } from './adapters/node/systemClock'
import { cryptoRandom } from './adapters/node/cryptoRandom'
import { loadBundledTexts } from './adapters/node/bundledTexts'

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the stores of the messages that local mode takes, for its inbox. */
export const createLocalStores = (env: Environment) => ({
  pushes: createEmulatorStore(env),
  outgoing: createOutgoingStore(env),
})

/** Returns the real ports, chosen by the environment. Nothing connects before its first use. */
export const createDependencies = (env: Environment): Ports => {
  const config = readConfig(env)
  const db = createFirebaseDatabase()
  const maps = createLazyMaps(async () =>
    (await import('./adapters/maps/mapsSelection')).createMapsFromEnv(env),
  )
  const local = createLocalStores(env)
  const push = config.isLocal ? createLocalPush(local.pushes) : firebasePush
  const messages = config.isLocal ? createLocalService(local.outgoing) : createMessageService(env)
  const parts = { db, maps, push, clock: systemClock, random: cryptoRandom }
  const bookings = createBookingService(parts)
  return {
    config,
    db,
    maps,
    push,
    refusals: createRefusalCounter(db),
    messages,
    outbox,
    clock: systemClock,
    accounts: firebaseAccounts,
    files: firebaseFiles,
    payments: createPaymentService({ adapters: ADAPTERS, env, ...parts, bookings }),
    random: cryptoRandom,
    tasks: config.isLocal ? noTasks : cloudTasks,
    texts: loadBundledTexts,
    bookings,
  }
}
