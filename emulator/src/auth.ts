import type { Auth } from './rules/compile'

/** On whose behalf something is read or written. */
export interface Actor {
  /** True when rules do not apply. */
  readonly admin: boolean
  /** What rules see as `auth`. */
  readonly auth: Auth | null
}

export const NOBODY: Actor = { admin: false, auth: null }
export const ADMIN: Actor = { admin: true, auth: null }

/** A credential that says nothing a database understands. */
export class CredentialError extends Error {
  constructor() {
    super('Could not parse auth token.')
  }
}

type Json = Record<string, unknown>

export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses JSON text from outside; undefined when it is none. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** A token's claims; null when it is not a JWT. Nothing is verified: whoever runs this is trusted. */
const claimsOf = (token: string): Json | null => {
  const [, payload] = token.split('.', 2)
  if (payload === undefined) return null
  const claims = parseJson(Buffer.from(payload, 'base64url').toString())
  return isJsonObject(claims) ? claims : null
}

const actorOfClaims = (claims: Json): Actor => {
  // Tokens of the retired database secrets carry the auth object itself.
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
  return { admin: false, auth: { uid, provider: provider ?? 'custom', token: claims } }
}

/** Who an ID token (or `owner`) stands for; throws a CredentialError for anything else. */
export const actorOfToken = (token: string): Actor => {
  if (token === 'owner') return ADMIN
  const claims = claimsOf(token)
  if (claims === null) throw new CredentialError()
  return actorOfClaims(claims)
}

/** Who an OAuth credential stands for: everybody who has one is an admin, ID tokens aside. */
export const actorOfBearer = (token: string): Actor => {
  const claims = claimsOf(token)
  return claims === null || !('firebase' in claims || 'user_id' in claims)
    ? ADMIN
    : actorOfClaims(claims)
}

/** An admin who acts as somebody else, or as nobody; other actors stay who they are. */
export const actingAs = (actor: Actor, override: unknown): Actor => {
  if (!actor.admin || override === undefined) return actor
  return { admin: false, auth: isJsonObject(override) ? override : null }
}
