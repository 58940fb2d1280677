import type { DatabaseTree } from '~/domain/data/databaseTree'

/** Shorter texts can appear in any log by chance. */
const MIN_LENGTH = 8

/**
 * Returns the texts that a log must never contain: people's numbers, addresses, accounts and
 * tokens.
 */
const collectPersonalData = (tree: DatabaseTree): string[] => {
  const {
    users = {},
    bookings = {},
    booking_contacts = {},
  } = tree as Record<string, Record<string, object>>
  const fields = ['mobile', 'email', 'bankAccount']
  const places = ['pickupAddress', 'dropAddress']
  const contacts = ['customer_contact', 'customer_email', 'driver_contact', 'deliveryPersonPhone']
  return [users, bookings, booking_contacts].flatMap(Object.values<object>).flatMap((record) =>
    [...fields, ...places, ...contacts].flatMap((field) => {
      const value = (record as Record<string, unknown>)[field]
      return typeof value === 'string' && value.length >= MIN_LENGTH ? [value] : []
    }),
  )
}

/**
 * Returns the log messages of the functions whose lines contain personal data, without that data.
 */
export const findPersonalLines = (log: string, tree: DatabaseTree): string[] => {
  const secrets = [...new Set(collectPersonalData(tree))]
  const ours = log.split('\n').filter((line) => line.startsWith('>  '))
  return ours
    .filter((line) => secrets.some((secret) => line.includes(secret)))
    .map((line) => /"message":"[^"]*"/.exec(line)?.[0] ?? 'a line of its own')
}
