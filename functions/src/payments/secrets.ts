/** One secret holds every provider's keys, as JSON by name; only functions that talk about payments are given it. */
export const PAYMENT_SECRETS = ['PAYMENT_KEYS']
