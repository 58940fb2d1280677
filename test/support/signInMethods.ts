import { createCustomToken } from '~/scripts/local/tokens'
import { getSuite } from './testSuite'

interface SignedIn {
  idToken: string
  localId: string
}

const callAuth = async (action: string, body: object): Promise<SignedIn> => {
  const { firebase, emulators } = getSuite().webConfig
  const url = `${emulators?.auth}/identitytoolkit.googleapis.com/v1/accounts:${action}?key=${firebase.apiKey}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ returnSecureToken: true, ...body }),
  })
  if (!response.ok) throw new Error(`The Auth emulator refused ${action}: ${await response.text()}`)
  return response.json() as Promise<SignedIn>
}

/** Signs in with a social account; the Auth emulator trusts the given claims. */
export const signInWithSocial = (
  providerId: 'google.com' | 'facebook.com' | 'apple.com',
  account: { sub: string; email?: string; email_verified?: boolean; name?: string },
): Promise<SignedIn> =>
  callAuth('signInWithIdp', {
    requestUri: 'http://localhost',
    postBody: new URLSearchParams({ id_token: JSON.stringify(account), providerId }).toString(),
  })

/**
 * Accounts by sign-in methods that a Firebase project may have enabled and Kerbside does not use.
 */
export const UNUSED_SIGN_IN_METHODS: Readonly<Record<string, () => Promise<SignedIn>>> = {
  anonymous: () => callAuth('signUp', {}),
  password: () =>
    callAuth('signUp', { email: `p${Date.now()}@example.com`, password: 'correct horse battery' }),
  custom: () =>
    callAuth('signInWithCustomToken', { token: createCustomToken(`custom-${Date.now()}`) }),
}
