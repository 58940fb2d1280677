import type { WebConfig } from './suiteConfig'
import { customToken } from './tokens'

interface Tokens {
  idToken: string
  refreshToken: string
  expiresIn: string
}

const ask = async (
  authUrl: string,
  { apiKey, action }: { apiKey: string; action: string },
  body: object,
): Promise<unknown> => {
  const url = `${authUrl}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=${apiKey}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`The Auth emulator refused ${action}: ${await response.text()}`)
  return response.json()
}

/** Signs somebody in without a phone, as nobody but the Auth emulator lets him; who was not there has an account then. */
export const signInAs = async (authUrl: string, apiKey: string, uid: string): Promise<Tokens> => {
  const body = { token: customToken(uid), returnSecureToken: true }
  return (await ask(authUrl, { apiKey, action: 'signInWithCustomToken' }, body)) as Tokens
}

/** A signed-in user as the web SDK keeps it in the browser: under which key, what, and his ID token of an hour. */
export async function localSession(
  { firebase, emulators }: WebConfig,
  uid: string,
): Promise<{ key: string; value: string; idToken: string }> {
  if (!emulators) throw new Error('Only a local Kerbside lets somebody in without a phone.')
  const { apiKey } = firebase
  const tokens = await signInAs(emulators.auth, apiKey, uid)
  const found = await ask(emulators.auth, { apiKey, action: 'lookup' }, { idToken: tokens.idToken })
  const { users } = found as {
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
