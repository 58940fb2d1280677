import { toJson } from '~/domain/data/databaseValue'
import { createPushKey } from '~/domain/data/pushKeys'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { getRole } from '~/domain/access/roles'
import { DAY_MS } from '~/domain/language/timeUnits'
import {
  BUCKET,
  openLocalDatabase,
  NAMESPACE,
  PROJECT,
  type LocalDatabase,
} from '~/scripts/local/localDatabase'
import { signInAs } from '~/scripts/local/localSession'
import { HOST, type Ports } from '~/scripts/local/ports'
import type { Urls } from '~/scripts/local/suiteConfig'
import { giveRole, removeAccount } from '../attackers'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

/** The instructions of every booking of the probes. */
export const DOOR_CODE = 'The code is 4711'

/** A response in the form that probes check. */
export interface ProbeResponse {
  status: number
  /** Parsed JSON, or the text. */
  body: unknown
  /** The refusal key. */
  key: string | undefined
}

/** A signed-in account. */
export interface SignedInAccount {
  uid: string
  token: string
}

/** The calls a probe makes to a running suite, and its accounts. */
export interface ProbeContext {
  urls: Urls
  ports: Ports
  /** Database access without the rules. */
  database: LocalDatabase
  /** Returns an unused phone number. */
  createPhoneNumber(): string
  /** Creates an account with a profile and the matching role, written without the rules. */
  createUser(
    like?: Partial<User> & { pushToken?: string },
  ): Promise<SignedInAccount & { mobile: string }>
  /** Signs an account in; creates it without a profile when it does not exist. */
  signIn(uid: string): Promise<SignedInAccount>
  /** Signs in with a code sent to the number, as its owner does. */
  signInByPhone(mobile: string): Promise<SignedInAccount>
  /** Adds a number to the account of a session, and signs in with a code sent to it. */
  linkPhone(session: SignedInAccount, mobile: string): Promise<SignedInAccount>
  /**
   * Signs in with another method of the auth service: a provider's token, an email or anonymously.
   */
  signInByMethod(action: string, body: object): Promise<SignedInAccount>
  call(who: SignedInAccount | null, name: string, data?: object): Promise<ProbeResponse>
  post(name: string, body: object, headers?: Record<string, string>): Promise<ProbeResponse>
  get(name: string, headers?: Record<string, string>): Promise<ProbeResponse>
  /** Calls the database's REST API as an account or a visitor. */
  rest(
    who: SignedInAccount | null,
    method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: unknown,
    query?: string,
  ): Promise<ProbeResponse>
  /** Uploads a picture and returns the status. */
  upload(who: SignedInAccount, name: string, bytes?: number): Promise<number>
  /** Returns a new push key. */
  createPushKey(): string
  /** Returns an honest request for a parcel booking tomorrow, at the server's price. */
  request(rider: SignedInAccount): Promise<{ booking_id: string; [field: string]: unknown }>
  /** Creates a cash booking assigned to the driver, who triggers these events. */
  createBooking(
    rider: SignedInAccount,
    driver: SignedInAccount | null,
    ...events: object[]
  ): Promise<Booking>
  /** Removes the accounts that the probes created. */
  removeAccounts(): Promise<void>
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
const getErrorKey = (body: unknown): string | undefined => {
  const { key, error } = (typeof body === 'object' && body !== null ? body : {}) as {
    key?: string
    error?: { details?: { key?: string } } | string | null
  }
  return key ?? (typeof error === 'object' ? error?.details?.key : undefined)
}
const sendRequest = async (url: string, request: RequestInit): Promise<ProbeResponse> => {
  const response = await fetch(url, request)
  const body = parseJson(await response.text())
  return { status: response.status, body, key: getErrorKey(body) }
}

const getHeaders = (who: SignedInAccount | null) => ({
  'Content-Type': 'application/json',
  ...(who && { Authorization: `Bearer ${who.token}` }),
})

/** Returns the requests to the functions, the database and Storage of a suite. */
const createRequests = (
  urls: Urls,
  ports: Ports,
): Pick<ProbeContext, 'call' | 'post' | 'get' | 'rest' | 'upload'> => ({
  call: (who, name, data = {}) =>
    sendRequest(`${urls.functions}/${name}`, {
      method: 'POST',
      headers: getHeaders(who),
      body: JSON.stringify({ data }),
    }),
  post: (name, body, headers = {}) =>
    sendRequest(`${urls.functions}/${name}`, {
      method: 'POST',
      headers: { ...getHeaders(null), ...headers },
      body: JSON.stringify(body),
    }),
  get: (name, headers = {}) => sendRequest(`${urls.functions}/${name}`, { headers }),
  rest: (who, method, path, body, query = '') =>
    sendRequest(
      `${urls.database}/${path}.json?ns=${NAMESPACE}${who ? `&auth=${who.token}` : ''}${query && `&${query}`}`,
      { method, ...(body !== undefined && { body: JSON.stringify(body) }) },
    ),
  async upload({ token }, name, bytes = 1000) {
    const { status } = await fetch(
      `http://${HOST}:${ports.storage}/v0/b/${BUCKET}/o?name=${encodeURIComponent(name)}&uploadType=media`,
      {
        method: 'POST',
        headers: { Authorization: `Firebase ${token}`, 'Content-Type': 'image/jpeg' },
        body: Buffer.alloc(bytes, 1),
      },
    )
    return status
  },
})

/** Returns the code that the auth service sends to a number, and its session. */
const receiveCode = async (urls: Urls, mobile: string) => {
  const response = await sendRequest(
    `${urls.auth}/identitytoolkit.googleapis.com/v1/accounts:sendVerificationCode?key=demo-key`,
    {
      method: 'POST',
      headers: getHeaders(null),
      body: JSON.stringify({ phoneNumber: mobile, recaptchaToken: 'none' }),
    },
  )
  const { sessionInfo } = response.body as { sessionInfo: string }
  const codes = await sendRequest(
    `${urls.auth}/emulator/v1/projects/${PROJECT}/verificationCodes`,
    {},
  )
  const { verificationCodes } = codes.body as {
    verificationCodes: { sessionInfo: string; code: string }[]
  }
  const code = verificationCodes.find((one) => one.sessionInfo === sessionInfo)?.code
  return { sessionInfo, code }
}

/** Returns the ways to sign in. Each adds its account to `accounts`. */
const createSignIns = (
  urls: Urls,
  accounts: Set<string>,
): Pick<ProbeContext, 'signIn' | 'signInByMethod' | 'signInByPhone' | 'linkPhone'> => {
  const remember = (account: SignedInAccount): SignedInAccount => {
    accounts.add(account.uid)
    return account
  }
  const signInByMethod: ProbeContext['signInByMethod'] = async (action, body) => {
    const response = await sendRequest(
      `${urls.auth}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=demo-key`,
      {
        method: 'POST',
        headers: getHeaders(null),
        body: JSON.stringify({ returnSecureToken: true, ...body }),
      },
    )
    const { localId, idToken } = response.body as { localId?: string; idToken?: string }
    if (!localId || !idToken) throw new Error(`${action}: ${JSON.stringify(response.body)}`)
    return remember({ uid: localId, token: idToken })
  }
  const enterCode = async (mobile: string, more: object = {}) =>
    signInByMethod('signInWithPhoneNumber', { ...(await receiveCode(urls, mobile)), ...more })
  return {
    signIn: async (uid) =>
      remember({ uid, token: (await signInAs(urls.auth, 'demo-key', uid)).idToken }),
    signInByMethod,
    signInByPhone: (mobile) => enterCode(mobile),
    async linkPhone({ token }, mobile) {
      await enterCode(mobile, { idToken: token })
      return enterCode(mobile)
    },
  }
}

let accountCount = 0
const createPhoneNumber = () =>
  `+1777${String(Date.now()).slice(-5)}${String((accountCount += 1) % 100).padStart(2, '0')}`

const createKey = () => createPushKey(Date.now(), Math.floor(Math.random() * 2 ** 52))

const findCarType = async (database: LocalDatabase): Promise<string> =>
  Object.keys((await database.get('cartypes')) ?? {})[0] ?? ''

/** Returns the function that writes a person without the rules, and signs them in. */
const createUserWriter =
  (
    urls: Urls,
    { database, signIn, stamp }: Pick<ProbeContext, 'database' | 'signIn'> & { stamp: string },
  ): ProbeContext['createUser'] =>
  async ({ pushToken, ...like } = {}) => {
    const uid = `probe-${stamp}-${(accountCount += 1)}`
    const mobile = createPhoneNumber()
    const user: User = {
      id: uid,
      usertype: 'rider',
      firstName: 'Probe',
      lastName: `Number ${accountCount}`,
      mobile,
      email: `${uid}@example.com`,
      createdAt: new Date().toISOString(),
      approved: true,
      walletBalance: 0,
      ...(like.usertype === 'driver' && {
        carType: await findCarType(database),
        queue: false,
        driverActiveStatus: true,
        vehicleNumber: 'P 1',
        location: { lat: -34.9, lng: -56.18 },
      }),
      ...like,
    }
    await database.put(dbPaths.user(uid), toJson(user))
    await database.put(dbPaths.role(uid), getRole(user))
    await database.put(dbPaths.directoryEntry(uid), toDirectoryEntry(user))
    if (pushToken !== undefined)
      await database.put(internalPaths.namedDevice(uid), { token: pushToken, revision: 1 })
    await signInAs(urls.auth, 'demo-key', uid, mobile)
    await giveRole(urls, uid, user.approved ? user.usertype : 'none')
    return { ...(await signIn(uid)), mobile }
  }

/** Returns the functions that book, as riders and drivers do. */
const createBookings = ({
  call,
  database,
  signIn,
}: Pick<ProbeContext, 'call' | 'database' | 'signIn'>): Pick<
  ProbeContext,
  'request' | 'createBooking'
> => {
  const request: ProbeContext['request'] = async (rider) => {
    const input = {
      booking_id: createKey(),
      pickup: { lat: -34.9055, lng: -56.1913, add: 'From here' },
      drop: { lat: -34.8855, lng: -56.1813, add: 'To there' },
      carType: await findCarType(database),
      bookLater: true,
      tripdate: Date.now() + DAY_MS,
      estimateFare: 0,
      deliveryPerson: 'Ana Paz',
      deliveryPersonPhone: '099 123 456',
      deliveryInstructions: DOOR_CODE,
    }
    const refused = await call(rider, 'create_booking', input)
    const { error } = refused.body as { error?: { details?: { estimate?: number } } }
    const estimateFare = error?.details?.estimate
    if (estimateFare === undefined) throw new Error(`no price: ${JSON.stringify(refused.body)}`)
    return { ...input, estimateFare }
  }
  const createBooking: ProbeContext['createBooking'] = async (rider, driver, ...events) => {
    const input = await request(rider)
    const created = await call(rider, 'create_booking', input)
    if (created.status !== 200) throw new Error(`create: ${JSON.stringify(created.body)}`)
    const id = input.booking_id
    const advance = async (who: SignedInAccount, event: object) => {
      const response = await call(who, 'advance_booking', { booking_id: id, ...event })
      if (response.status !== 200)
        throw new Error(`${JSON.stringify(event)}: ${JSON.stringify(response.body)}`)
    }
    if (driver) {
      const { status } = (created.body as { result: { status: string } }).result
      if (status === 'PAYMENT_PENDING') await advance(rider, { event: 'pay', payment_mode: 'cash' })
      await advance(await signIn('seed-admin'), { event: 'assign', driver: driver.uid })
      for (const event of events) {
        const otp = (await database.get(dbPaths.bookingOtp(id))) as number
        const isStart = 'event' in event && event.event === 'start'
        await advance(driver, isStart ? { ...event, otp } : event)
      }
    }
    return (await database.get(dbPaths.booking(id))) as Booking
  }
  return { request, createBooking }
}

/** Opens a probe context in a running suite. `stamp` distinguishes its accounts from others. */
export const openProbeContext = (
  { urls, ports }: { urls: Urls; ports: Ports },
  stamp = Date.now().toString(36),
): ProbeContext => {
  const database = openLocalDatabase(urls.database)
  const accounts = new Set<string>()
  const requests = createRequests(urls, ports)
  const signIns = createSignIns(urls, accounts)
  const { signIn } = signIns
  return {
    urls,
    ports,
    database,
    createPhoneNumber,
    createPushKey: createKey,
    ...requests,
    ...signIns,
    createUser: createUserWriter(urls, { database, signIn, stamp }),
    ...createBookings({ call: requests.call, database, signIn }),
    async removeAccounts() {
      // Seeded accounts existed before.
      for (const uid of accounts) if (!uid.startsWith('seed-')) await removeAccount(urls, uid)
    },
  }
}
