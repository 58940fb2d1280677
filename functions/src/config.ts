import { createHash } from 'node:crypto'
import { fail } from './domainException'

/** Settings from the environment. Each process reads them once; tests pass in their own. */
export interface Config {
  /** True when the functions run in the Emulator Suite. */
  isLocal: boolean
  /** Origins whose pages may call. Local mode allows every port of this machine instead. */
  allowedOrigins: readonly string[]
  /** `user:password` of the fixed header for the maps proxies. */
  mapsBasicAuth: string | null
  /** The key that a telephone system sends with its calls; null when it may not announce any. */
  callerKey: string | null
  /** Keeps the first visitor of a deployment from becoming its admin. `setup` requires it. */
  setupSecret: string | null
  /**
   * Mixed into hashes of network addresses and phone numbers; null when a deployment has no salt.
   */
  salt: string | null
  /**
   * The project's bucket. Empty when the environment names no bucket; then no link counts as ours.
   */
  bucket: string
}

/** The header that visitors' pages send in local mode. Production sets its own. */
export const LOCAL_MAPS_BASIC_AUTH = 'kerbside:maps'
/** The key of a telephone system in local mode. Production sets its own. */
export const LOCAL_CALLER_KEY = 'kerbside-local-caller'
/** A shorter value, such as `none`, is no key. */
const MIN_CALLER_KEY_CHARS = 16

const getCallerKey = (
  isLocal: boolean,
  { KERBSIDE_CALLER_KEY: key = '' }: Readonly<Record<string, string | undefined>>,
): string | null => {
  if (key.length >= MIN_CALLER_KEY_CHARS) return key
  return isLocal ? LOCAL_CALLER_KEY : null
}

const getBucketName = (
  local: boolean,
  env: Readonly<Record<string, string | undefined>>,
): string => {
  // The emulators would guess the old bucket name for a demo project.
  if (local) return `${env.GCLOUD_PROJECT ?? 'demo-kerbside'}.firebasestorage.app`
  const { storageBucket = '' } = JSON.parse(env.FIREBASE_CONFIG || '{}') as {
    storageBucket?: string
  }
  return storageBucket
}

/** Reads the configuration from environment variables. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const local = env.FUNCTIONS_EMULATOR === 'true'
  return {
    isLocal: local,
    allowedOrigins: (env.KERBSIDE_ORIGINS ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    mapsBasicAuth: env.KERBSIDE_MAPS_BASIC_AUTH || (local ? LOCAL_MAPS_BASIC_AUTH : null),
    callerKey: getCallerKey(local, env),
    setupSecret: env.KERBSIDE_SETUP_SECRET || null,
    salt: env.KERBSIDE_SALT || (local ? env.GCLOUD_PROJECT || 'kerbside' : null),
    bucket: getBucketName(local, env),
  }
}

/**
 * Returns the salt for hashes. Refuses with not_configured when a deployment has no salt, because a
 * known salt would hide nothing.
 */
export const getSalt = ({ salt }: Pick<Config, 'salt'>): string =>
  salt ?? fail('not_configured', undefined, { setting: 'KERBSIDE_SALT' })

/** Returns a hash that an attacker without the salt cannot reverse by trying all numbers. */
export const hashWithSalt = (text: string, config: Pick<Config, 'salt'>): string =>
  createHash('sha256')
    .update(`${getSalt(config)}:${text}`)
    .digest('base64url')

/** Origins of pages on this machine, on every port. */
export const LOCALHOST_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Returns true when a page of this origin may call. */
export const isAllowedOrigin = (origin: string, { isLocal, allowedOrigins }: Config): boolean =>
  allowedOrigins.includes(origin) || (isLocal && LOCALHOST_ORIGIN.test(origin))
