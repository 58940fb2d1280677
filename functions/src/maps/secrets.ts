/**
 * Google's server key, where Google's maps are used; only functions that look for places and routes are given it. Named,
 * not `defineSecret`: that asks for a value wherever the code is loaded, and local mode has none.
 */
export const MAPS_SECRETS = ['KERBSIDE_GOOGLE_MAPS_KEY']

/** A bound secret has to exist; this one stands for there being no key. */
export const NO_KEY = 'none'
