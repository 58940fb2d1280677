import rulesText from '~/database.rules.json?raw'
import * as v from 'valibot'
import { API, type EndpointInput, type EndpointName, type EndpointOutput } from '~/domain/api/api'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { withDirectory } from '~/domain/accounts/directory'
import { addDerivedData } from '~/domain/testing/derivedData'
import { createDatabase } from '~/emulator/src/inProcess'
import { ServiceError, type Services, type SignedInUser } from '../services'
import { clearBrowserStorage, claimBrowserStorage } from '../browserStorage'
import { listPeople } from './listPeople'
import { createMemoryDatabasePort } from './memoryDatabase'
import type { Handler, MemoryBackend, MemoryOptions, Tree } from './backendTypes'

/** Answers calls that only read as the server does. */
const READERS: Record<string, Handler> = {
  list_people: listPeople,
  // The sign-in of a test is fresh.
  begin_export: () => ({ success: true }),
}

/**
 * Refuses an input with a field that the endpoint does not know, as the server does. Other rules of
 * the input are not checked, because tests use short ids.
 */
const refuseUnknownField = (name: EndpointName, input: unknown) => {
  // A field without a value is not sent.
  const sentInput: unknown = JSON.parse(JSON.stringify(input))
  const unknownField = v
    .safeParse(API[name].input, sentInput)
    .issues?.find(({ type, expected }) => type === 'strict_object' && expected === 'never')
  if (!unknownField) return
  const field = v.getDotPath(unknownField) ?? ''
  throw new ServiceError('invalid-argument', 'bad_input', `${name}: ${field} is unknown`, { field })
}

/** The sign-in code of the in-memory backend, unless a test chooses another. */
export const MEMORY_CODE = '612345'

/**
 * Returns an in-memory backend for component tests: the same ports without a network. The database
 * rules check what the app reads and writes, as the signed-in user.
 */
export const makeMemoryBackend = ({
  seed = {},
  rules = rulesText,
  as,
  offlineData = {},
  handlers = {},
  isLocal = true,
  loginCode = MEMORY_CODE,
  // Fake timers replace `Date` after this module has loaded.
  now = () => Date.now() + serverTimeOffset,
  serverTimeOffset = 0,
}: MemoryOptions = {}): MemoryBackend => {
  const data = JSON.parse(JSON.stringify(addDerivedData(seed))) as unknown
  const database = createDatabase({ rules, data, now })
  const admin = database.asAdmin()
  const at = (path: string) => admin.get(path) as DatabaseValue
  let user: SignedInUser | null = as ? { uid: as, phone: null } : null
  let signedInAt = now()
  let online = true
  const device = new Map(as ? [[as, offlineData]] : [])
  const watchers = new Set<(user: SignedInUser | null) => void>()
  const connections = new Set<(online: boolean) => void>()
  const memoryDatabase = createMemoryDatabasePort(database, {
    getUid: () => user?.uid ?? null,
    serverTimeOffset,
  })

  const signIn = (next: SignedInUser | null) => {
    user = next
    signedInAt = now()
    for (const notify of watchers) notify(user)
    memoryDatabase.checkSubscriptions()
  }
  const run = async <Name extends EndpointName>(
    name: Name,
    input: EndpointInput<Name>,
  ): Promise<EndpointOutput<Name>> => {
    const handler = handlers[name] ?? READERS[name]
    if (handlers[name] || !handler) memoryBackend.calls.push({ name, input })
    refuseUnknownField(name, input)
    if (!handler) throw new ServiceError('not-found', 'not_found', name)
    return (await handler(input as never, memoryBackend)) as EndpointOutput<Name>
  }

  const services: Services = {
    auth: {
      subscribe(onChange) {
        watchers.add(onChange)
        queueMicrotask(() => onChange(user))
        return () => watchers.delete(onChange)
      },
      requestCode: async (phone) => phone,
      async verifyCode(phone, code) {
        if (code !== loginCode) throw new ServiceError('auth/invalid', 'login_code_wrong')
        const users = Object.entries((at('users') ?? {}) as Record<string, Tree>)
        const userEntry = users.find(([, profile]) => profile.mobile === phone)
        signIn({ uid: userEntry?.[0] ?? `uid-${phone.replace(/\D/g, '')}`, phone })
        return user as SignedInUser
      },
      fetchSentCode: async () => loginCode,
      fetchSignInTime: async () => user && signedInAt,
      async signInWith() {
        throw new ServiceError('auth/operation-not-allowed', 'login_error')
      },
      async changePhone(phone, code, change) {
        if (code !== loginCode) throw new ServiceError('auth/invalid', 'login_code_wrong')
        await change(`token-of-${phone}`)
        signIn(user && { ...user, phone })
      },
      signOut: async () => signIn(null),
    },
    database: {
      ...memoryDatabase.port,
      subscribeToConnection(onChange) {
        connections.add(onChange)
        onChange(online)
        return () => connections.delete(onChange)
      },
      reconnect: async () => {},
    },
    functions: { call: run, post: run, get: run },
    storage: {
      upload: async (path) => `https://files.example/${path}`,
      uploadAtSignUp: async (uid) => `https://files.example/users/${uid}/licenseImage`,
    },
    offlineStorage: {
      read: async (uid) => structuredClone(device.get(uid) ?? {}),
      write: async (uid, changes) => {
        const all = Object.entries({ ...device.get(uid), ...structuredClone(changes) })
        device.set(uid, Object.fromEntries(all.filter(([, value]) => value !== null)))
      },
      claim: async (uid) => {
        for (const owner of device.keys()) if (owner !== uid) device.delete(owner)
        return claimBrowserStorage(uid)
      },
      clear: async () => {
        device.clear()
        await clearBrowserStorage()
      },
    },
    push: { getToken: async () => 'memory-device', removeToken: async () => {} },
    isLocal: async () => isLocal,
    getMapConfig: async () => undefined,
    isSiteReachable: async () => true,
    report: () => {},
  }
  const memoryBackend: MemoryBackend = {
    services,
    getTree: () => (at('') ?? {}) as Tree,
    at,
    update: (changes) => admin.update('', withDirectory(changes)),
    getUid: () => user?.uid ?? null,
    signIn,
    setOnline(next) {
      online = next
      for (const notify of connections) notify(online)
    },
    calls: [],
  }
  return memoryBackend
}
