/**
 * One secret holds every provider's keys as JSON by name. Only the payment functions receive it.
 */
export const PAYMENT_SECRETS = ['PAYMENT_KEYS']
