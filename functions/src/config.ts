/** What the environment decides. Read once a process; tests hand in their own. */
export interface Config {
  /** True in the Emulator Suite. */
  local: boolean
  /** Origins whose pages may call; local mode allows every port of this machine instead. */
  origins: readonly string[]
  /** `user:password` of the maps proxies' fixed header. */
  mapsBasicAuth: string | null
  /** Needed by `setup`, when set, so that not the first visitor becomes the admin. */
  setupSecret: string | null
  /** Mixed into the hash of callers' addresses, which are personal data. */
  salt: string
}

/** The header visitors' pages send in local mode; production sets its own. */
export const LOCAL_MAPS_BASIC_AUTH = 'kerbside:maps'

/** Reads the configuration out of environment variables. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const local = env.FUNCTIONS_EMULATOR === 'true'
  return {
    local,
    origins: (env.KERBSIDE_ORIGINS ?? '')
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
    mapsBasicAuth: env.KERBSIDE_MAPS_BASIC_AUTH || (local ? LOCAL_MAPS_BASIC_AUTH : null),
    setupSecret: env.KERBSIDE_SETUP_SECRET || null,
    salt: env.KERBSIDE_SALT || env.GCLOUD_PROJECT || 'kerbside',
  }
}

/** Origins of pages of this machine, on every port. */
export const THIS_MACHINE = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

/** Whether a page of this origin may call. */
export const isAllowedOrigin = (origin: string, { local, origins }: Config): boolean =>
  origins.includes(origin) || (local && THIS_MACHINE.test(origin))
