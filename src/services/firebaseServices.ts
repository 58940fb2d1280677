import { config } from './config'
import { KEPT_FOR, type Services } from './services'
import { startWhenHad } from './starting'

// Nothing of Firebase is in the first load: each port arrives when it is first asked for.
const auth = () => import('./firebase/auth').then((m) => m.authPort)
const database = () => import('./firebase/database').then((m) => m.databasePort)
const functions = () => import('./firebase/functions').then((m) => m.functionsPort)
const storage = () => import('./firebase/storage').then((m) => m.storagePort)
const device = () => import('./device').then((m) => m.devicePort)

/** The product's services over Firebase: Google's in production, the emulator suite's in local mode. */
export const firebaseServices = (): Services => ({
  auth: {
    watch: (onChange) => startWhenHad(auth, (port) => port.watch(onChange)),
    requestCode: async (phone) => (await auth()).requestCode(phone),
    verifyCode: async (id, code) => (await auth()).verifyCode(id, code),
    offeredCode: async (phone) => (await auth()).offeredCode(phone),
    signInWith: async (provider) => (await auth()).signInWith(provider),
    changePhone: async (id, code) => (await auth()).changePhone(id, code),
    signOut: async () => (await auth()).signOut(),
  },
  database: {
    live: (query, onValue, onError) =>
      startWhenHad(database, (port) => port.live(query, onValue, onError)),
    once: async (query) => (await database()).once(query),
    update: async (changes) => (await database()).update(changes),
    newKey: async () => (await database()).newKey(),
    connected: (onChange) => startWhenHad(database, (port) => port.connected(onChange)),
  },
  functions: {
    call: async (name, input) => (await functions()).call(name, input),
    post: async (name, body) => (await functions()).post(name, body),
    get: async (name) => (await functions()).get(name),
  },
  storage: {
    upload: async (path, file, onProgress) => (await storage()).upload(path, file, onProgress),
  },
  device: {
    // Whoever is no driver never needs that file.
    kept: async (uid) => (localStorage.getItem(KEPT_FOR) === uid ? (await device()).kept(uid) : {}),
    keep: async (uid, changes) => (await device()).keep(uid, changes),
    forget: async () => {
      if (localStorage.getItem(KEPT_FOR) !== null) await (await device()).forget()
    },
  },
  isLocal: async () => (await config()).local,
  maps: async () => (await config()).maps,
  report: (what, error) => {
    // The one place that writes to the console.
    // eslint-disable-next-line no-console
    console.warn(JSON.stringify({ what, error: error instanceof Error ? error.message : error }))
  },
})
