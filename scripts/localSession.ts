import type { WebConfig } from './suiteConfig'
import { customToken } from './tokens'

interface Tokens {
  idToken: string
  refreshToken: string
  expiresIn: string
}

/** A signed-in user as the web SDK keeps it in the browser: under which key, what, and his ID token of an hour. */
export async function localSession(
  { firebase, emulators }: WebConfig,
  uid: string,
): Promise<{ key: string; value: string; idToken: string }> {
  if (!emulators) throw new Error('Only a local Kerbside lets somebody in without a phone.')
  const identity = `${emulators.auth}/identitytoolkit.googleapis.com/v1/accounts`
  const post = async (action: string, body: object) => {
    const response = await fetch(`${identity}:${action}?key=${firebase.apiKey}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`Could not sign in as ${uid}: ${await response.text()}`)
    return response.json() as Promise<unknown>
  }
  const tokens = (await post('signInWithCustomToken', {
    token: customToken(uid),
    returnSecureToken: true,
  })) as Tokens
  const { users } = (await post('lookup', { idToken: tokens.idToken })) as {
    users: { phoneNumber?: string; createdAt: string; lastLoginAt?: string }[]
  }
  const { phoneNumber, createdAt, lastLoginAt } = users[0] ?? {}
  return {
    idToken: tokens.idToken,
    key: `firebase:authUser:${firebase.apiKey}:[DEFAULT]`,
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
      apiKey: firebase.apiKey,
      appName: '[DEFAULT]',
    }),
  }
}
