import type { Auth } from './rules/compiler'

/** The identity that performs a read or write. */
export interface Actor {
  /** True when rules do not apply. */
  readonly admin: boolean
  /** The value of `auth` in rules. */
  readonly auth: Auth | null
  /** Expiry of the token in ms since 1970; absent when it never expires. */
  readonly expiresAt?: number
}

export const ANONYMOUS_ACTOR: Actor = { admin: false, auth: null }
export const ADMIN_ACTOR: Actor = { admin: true, auth: null }

/** A credential that the database cannot interpret. */
export class InvalidCredentialError extends Error {
  constructor() {
    super('Could not parse auth token.')
  }
}

type Json = Record<string, unknown>

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses untrusted JSON text. Returns undefined when it is invalid. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/**
 * Returns a token's claims, or null when it is not a JWT. Verifies nothing, because the stand-in
 * trusts everyone who can run it.
 */
const decodeClaims = (token: string): Json | null => {
  const [, payload] = token.split('.', 2)
  if (payload === undefined) return null
  const claims = parseJson(Buffer.from(payload, 'base64url').toString())
  return isJsonObject(claims) ? claims : null
}

const actorFromClaims = (claims: Json): Actor => {
  // Tokens of the retired database secrets contain the auth object itself.
  if (claims['v'] === 0) {
    return {
      admin: claims['admin'] === true,
      auth: isJsonObject(claims['d']) ? claims['d'] : null,
    }
  }
  const uid = claims['user_id'] ?? claims['sub'] ?? null
  const firebase = claims['firebase']
  const provider =
    (isJsonObject(firebase) ? firebase['sign_in_provider'] : undefined) ?? claims['provider_id']
  const { exp } = claims
  return {
    admin: false,
    auth: { uid, provider: provider ?? 'custom', token: claims },
    ...(typeof exp === 'number' && { expiresAt: exp * 1000 }),
  }
}

/**
 * Returns the actor of an ID token (or of `owner`). Throws an InvalidCredentialError for anything
 * else.
 */
export const actorFromIdToken = (token: string): Actor => {
  if (token === 'owner') return ADMIN_ACTOR
  const claims = decodeClaims(token)
  if (claims === null) throw new InvalidCredentialError()
  return actorFromClaims(claims)
}

/** Returns the actor of an OAuth credential: always an admin, unless it is an ID token. */
export const actorFromBearerToken = (token: string): Actor => {
  const claims = decodeClaims(token)
  return claims === null || !('firebase' in claims || 'user_id' in claims)
    ? ADMIN_ACTOR
    : actorFromClaims(claims)
}

/** Lets an admin act as another user or as a signed-out one. Returns other actors unchanged. */
export const impersonate = (actor: Actor, override: unknown): Actor => {
  if (!actor.admin || override === undefined) return actor
  return { admin: false, auth: isJsonObject(override) ? override : null }
}
