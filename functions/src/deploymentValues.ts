// The values that a deployment may have. The prompt of `firebase deploy` and the check before it
// (scripts/deploy/projectSettings.ts) use the same patterns.

/** Regions of the Realtime Database. A trigger must run in the region of its database. */
export const REGIONS = ['us-central1', 'europe-west1', 'asia-southeast1'] as const

export const DEFAULT_REGION = 'us-central1'

/** Origins separated by commas. */
export const ORIGINS_PATTERN = '^https://[^/,\\s]+(,\\s*https://[^/,\\s]+)*$'

/** `user:password`. */
export const BASIC_AUTH_PATTERN = '^[^:\\s]+:\\S{6,}$'
