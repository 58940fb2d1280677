import { PROJECT } from './localDatabase'

const encodePart = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** Returns a token without a signature, which the Emulator Suite does not require. */
export const createUnsignedToken = (claims: object): string =>
  `${encodePart({ alg: 'none', typ: 'JWT' })}.${encodePart(claims)}.`

/** Returns the claims that Google issues for a signed-in user, valid for an hour. */
export const createClaims = (uid: string) => {
  const now = Math.floor(Date.now() / 1000)
  return {
    sub: uid,
    user_id: uid,
    aud: PROJECT,
    iss: `https://securetoken.google.com/${PROJECT}`,
    iat: now,
    auth_time: now,
    exp: now + 3600,
    firebase: { identities: {}, sign_in_provider: 'phone' },
  }
}

/**
 * Returns a custom token, with which the Auth emulator signs in any user; Kerbside itself does not
 * use this method.
 */
export const createCustomToken = (uid: string): string => {
  const { iat, exp } = createClaims(uid)
  const account = `kerbside@${PROJECT}.iam.gserviceaccount.com`
  const aud =
    'https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit'
  return createUnsignedToken({ uid, iss: account, sub: account, aud, iat, exp })
}

/** Returns the claims of a token without verifying it. */
export const decodeClaims = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >
