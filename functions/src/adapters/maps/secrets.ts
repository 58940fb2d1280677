/**
 * Google's server key, for projects that use Google's maps. Only functions that look up places and
 * routes receive it. The list has the name instead of `defineSecret`, which requires a value
 * wherever the code is loaded, and local mode has none.
 */
export const MAPS_SECRETS = ['KERBSIDE_GOOGLE_MAPS_KEY']

/** A bound secret must exist, so this value means that no key is set. */
export const NO_KEY = 'none'
