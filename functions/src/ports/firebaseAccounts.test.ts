import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firebaseAccounts } from './firebaseAccounts'

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

// As deployed: outside the Emulator Suite, which takes unsigned tokens.
describe('in production no ID token counts', () => {
  beforeEach(() => {
    vi.stubEnv('FIREBASE_AUTH_EMULATOR_HOST', undefined)
    vi.stubEnv('FIREBASE_CONFIG', JSON.stringify({ projectId: PROJECT }))
    vi.stubEnv('GCLOUD_PROJECT', PROJECT)
  })
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['that nobody signed', unsigned(claims)],
    ['that is signed with a secret instead of Google’s key', bySharedSecret(claims)],
    ['of another project', byAnyKey({ ...claims, ...elsewhere })],
    ['of another issuer', byAnyKey({ ...claims, iss: 'https://evil.example' })],
    ['about nobody', byAnyKey({ ...claims, sub: '' })],
    ['about more than a uid', byAnyKey({ ...claims, sub: 'x'.repeat(129) })],
    [
      'that is a custom token',
      byAnyKey({ ...claims, aud: 'https://identitytoolkit.googleapis.com' }),
    ],
    ['that is none', 'owner'],
    ['that is torn', `${encoded({ alg: 'RS256', kid: 'ours' })}.e30`],
    ['that is empty', ''],
  ])('%s', async (_, token) => {
    expect(await firebaseAccounts.verify(token)).toBeNull()
  })
})
