import { createHash } from 'node:crypto'
import { openLocalDatabase, PROJECT } from './localDatabase'
import type { WebConfig } from './suiteConfig'

interface Tokens {
  idToken: string
  refreshToken: string
  expiresIn: string
}

const postJson = async (url: string, body: object, headers: Record<string, string> = {}) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok)
    throw new Error(`The Auth emulator refused ${new URL(url).pathname}: ${await response.text()}`)
  return response.json() as Promise<unknown>
}

const OWNER_HEADERS = { Authorization: 'Bearer owner' }
const toAuthApiUrl = (authUrl: string) => `${authUrl}/identitytoolkit.googleapis.com/v1`

const callAuth = (
  authUrl: string,
  { apiKey, action }: { apiKey: string; action: string },
  body: object,
): Promise<unknown> => postJson(`${toAuthApiUrl(authUrl)}/accounts:${action}?key=${apiKey}`, body)

interface FoundAccounts {
  users?: { phoneNumber?: string }[]
}

/** Returns a fictional number that is unique to this uid. */
const createPhoneNumber = (uid: string): string => {
  const digits = BigInt(`0x${createHash('sha256').update(uid).digest('hex')}`).toString()
  return `+1999${digits.slice(-10)}`
}

/** Returns an account's number. Creates a missing account with `mobile` or a generated number. */
export const getPhoneNumber = async (
  authUrl: string,
  uid: string,
  mobile: string | null,
): Promise<string> => {
  const accounts = `${toAuthApiUrl(authUrl)}/projects/${PROJECT}/accounts`
  const response = (await postJson(
    `${accounts}:lookup`,
    { localId: [uid] },
    OWNER_HEADERS,
  )) as FoundAccounts
  const knownNumber = response.users?.[0]?.phoneNumber
  if (knownNumber !== undefined) return knownNumber
  const phoneNumber = mobile || createPhoneNumber(uid)
  const users = [{ localId: uid, phoneNumber }]
  await postJson(`${accounts}:batchCreate`, { users, allowOverwrite: true }, OWNER_HEADERS)
  return phoneNumber
}

interface SentCode {
  sessionInfo: string
  code: string
}

/** Requests a code for a number. Returns the code that the Auth emulator sent, with its session. */
export const requestCode = async (
  authUrl: string,
  apiKey: string,
  phoneNumber: string,
): Promise<SentCode> => {
  const { sessionInfo } = (await callAuth(
    authUrl,
    { apiKey, action: 'sendVerificationCode' },
    { phoneNumber, recaptchaToken: 'local' },
  )) as Pick<SentCode, 'sessionInfo'>
  const response = await fetch(`${authUrl}/emulator/v1/projects/${PROJECT}/verificationCodes`)
  const { verificationCodes } = (await response.json()) as { verificationCodes: SentCode[] }
  const sentCode = verificationCodes.find((one) => one.sessionInfo === sessionInfo)
  if (!sentCode) throw new Error('The Auth emulator returned no code. Request the code again.')
  return sentCode
}

/** Signs an account in by phone and code; creates it first when it is missing. */
export const signInAs = async (
  authUrl: string,
  apiKey: string,
  uid: string,
  mobile: string | null = null,
): Promise<Tokens> => {
  const phone = await getPhoneNumber(authUrl, uid, mobile)
  const { sessionInfo, code } = await requestCode(authUrl, apiKey, phone)
  const body = { sessionInfo, code }
  return (await callAuth(authUrl, { apiKey, action: 'signInWithPhoneNumber' }, body)) as Tokens
}

/** Returns the number in an account's record, or null. */
export const readMobile = async (databaseUrl: string, uid: string): Promise<string | null> =>
  (await openLocalDatabase(databaseUrl).get(`users/${uid}/mobile`)) as string | null

/** Returns a signed-in user as the web SDK stores it in the browser, and an ID token. */
export async function createLocalSession(
  { firebase, emulators }: WebConfig,
  uid: string,
): Promise<{ key: string; value: string; idToken: string }> {
  if (!emulators)
    throw new Error(
      'Only a local Kerbside shows sign-in codes. Connect to one that `npm start` started.',
    )
  const { apiKey } = firebase
  const { host, port } = emulators.database
  const mobile = await readMobile(`http://${host}:${port}`, uid)
  const tokens = await signInAs(emulators.auth, apiKey, uid, mobile)
  const response = await callAuth(
    emulators.auth,
    { apiKey, action: 'lookup' },
    { idToken: tokens.idToken },
  )
  const { users } = response as {
    users: { phoneNumber?: string; createdAt: string; lastLoginAt?: string }[]
  }
  const { phoneNumber, createdAt, lastLoginAt } = users[0] ?? {}
  return {
    idToken: tokens.idToken,
    key: `firebase:authUser:${apiKey}:[DEFAULT]`,
    value: JSON.stringify({
      uid,
      ...(phoneNumber !== undefined && { phoneNumber }),
      emailVerified: false,
      isAnonymous: false,
      providerData: [],
      stsTokenManager: {
        refreshToken: tokens.refreshToken,
        accessToken: tokens.idToken,
        expirationTime: Date.now() + Number(tokens.expiresIn) * 1000,
      },
      createdAt,
      lastLoginAt: lastLoginAt ?? createdAt,
      apiKey,
      appName: '[DEFAULT]',
    }),
  }
}
