import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import type { DecodedIdToken } from 'firebase-admin/auth'
import { deleteApp } from 'firebase-admin/app'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firebaseAccounts } from './firebaseAccounts'
import { getFirebaseApp } from './firebaseDatabase'

const PROJECT = 'acme-taxis'
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const now = Math.floor(Date.now() / 1000)
const claims = {
  sub: 'rider',
  user_id: 'rider',
  aud: PROJECT,
  iss: `https://securetoken.google.com/${PROJECT}`,
  iat: now,
  auth_time: now,
  exp: now + 3600,
}
const elsewhere = { aud: 'other-project', iss: 'https://securetoken.google.com/other-project' }

const unsigned = (body: object) => `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(body)}.`
const byAnyKey = (body: object) => {
  const text = `${encoded({ alg: 'RS256', typ: 'JWT', kid: 'ours' })}.${encoded(body)}`
  return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
}
const bySharedSecret = (body: object) => {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT', kid: 'ours' })}.${encoded(body)}`
  return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`
}

// Runs as in production, outside the Emulator Suite, which accepts unsigned tokens.
describe('the verification of an ID token in production', () => {
  beforeEach(() => {
    vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined)
    vi.stubEnv('FIREBASE_CONFIG', JSON.stringify({ projectId: PROJECT }))
    vi.stubEnv('GCLOUD_PROJECT', PROJECT)
  })
  afterEach(() => vi.unstubAllEnvs())
  // The next test file of this process opens it with another project.
  afterAll(() => deleteApp(getFirebaseApp()))

  it.each([
    ['refuses an unsigned token', unsigned(claims)],
    ["refuses a token signed with a secret instead of Google's key", bySharedSecret(claims)],
    ['refuses a token of another project', byAnyKey({ ...claims, ...elsewhere })],
    ['refuses a token of another issuer', byAnyKey({ ...claims, iss: 'https://evil.example' })],
    ['refuses a token without a uid', byAnyKey({ ...claims, sub: '' })],
    ['refuses a token with a uid that is too long', byAnyKey({ ...claims, sub: 'x'.repeat(129) })],
    [
      'refuses a custom token',
      byAnyKey({ ...claims, aud: 'https://identitytoolkit.googleapis.com' }),
    ],
    ['refuses a text that is not a token', 'owner'],
    ['refuses a truncated token', `${encoded({ alg: 'RS256', kid: 'ours' })}.e30`],
    ['refuses an empty token', ''],
  ])('%s', async (_, token) => {
    expect(await firebaseAccounts.verifyToken(token)).toBeNull()
  })
})

describe('the claims of a valid token', () => {
  const token = (method: unknown, more: object = {}) =>
    ({
      uid: 'eva',
      auth_time: 1_700_000_000,
      firebase: { sign_in_provider: method },
      ...more,
    }) as unknown as DecodedIdToken

  it('contain the number and no provider after a phone sign-in', () => {
    expect(firebaseAccounts.readToken(token('phone', { phone_number: '+15555550190' }))).toEqual({
      uid: 'eva',
      signedInAt: 1_700_000_000_000,
      phone: '+15555550190',
    })
  })
  it.each([
    ['google.com', 'google'],
    ['facebook.com', 'facebook'],
    ['apple.com', 'apple'],
  ])('contain the provider after a sign-in by %s', (method, provider) => {
    expect(firebaseAccounts.readToken(token(method))).toMatchObject({ uid: 'eva', provider })
  })
  it('contain the id of the social account, but not that of another provider', () => {
    const identities = { 'google.com': ['21'], 'facebook.com': ['10158'] }
    const firebase = { sign_in_provider: 'facebook.com', identities }
    expect(firebaseAccounts.readToken(token('facebook.com', { firebase }))).toMatchObject({
      uid: 'eva',
      provider: 'facebook',
      providerId: '10158',
    })
  })
  it.each(['custom', 'anonymous', 'password', 'emailLink', 'github.com', 'constructor', undefined])(
    'are refused for the sign-in method %s',
    (method) => {
      expect(() => firebaseAccounts.readToken(token(method))).toThrow('sign_in_not_offered')
    },
  )
  it('omit an e-mail address that is not verified', () => {
    const email = 'Eva@Example.com'
    expect(
      firebaseAccounts.readToken(token('facebook.com', { email, email_verified: false })).email,
    ).toBeUndefined()
    expect(firebaseAccounts.readToken(token('facebook.com', { email })).email).toBeUndefined()
    expect(
      firebaseAccounts.readToken(token('google.com', { email, email_verified: true })).email,
    ).toBe('eva@example.com')
  })
})
