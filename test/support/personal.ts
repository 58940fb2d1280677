import type { DatabaseTree } from '~/domain/invariants'

/** Shorter than this, a text of somebody's is in any log by chance. */
const LEAST = 8

/** What a log may never name: people's numbers, addresses, accounts and tokens. */
const secretsOf = (tree: DatabaseTree): string[] => {
  const { users = {}, bookings = {} } = tree as Record<string, Record<string, object>>
  const fields = ['mobile', 'email', 'pushToken', 'bankAccount', 'deliveryPersonPhone']
  const places = ['pickupAddress', 'dropAddress', 'customer_contact', 'driver_contact']
  return [...Object.values(users), ...Object.values(bookings)].flatMap((record) =>
    [...fields, ...places].flatMap((field) => {
      const value = (record as Record<string, unknown>)[field]
      return typeof value === 'string' && value.length >= LEAST ? [value] : []
    }),
  )
}

/** The functions' lines of a suite's log that name something personal, without it. */
export const personalLines = (log: string, tree: DatabaseTree): string[] => {
  const secrets = [...new Set(secretsOf(tree))]
  const ours = log.split('\n').filter((line) => line.startsWith('>  '))
  return ours
    .filter((line) => secrets.some((secret) => line.includes(secret)))
    .map((line) => /"message":"[^"]*"/.exec(line)?.[0] ?? 'a line of its own')
}
