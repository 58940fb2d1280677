/** A database value: plain JSON, null to remove, `{'.sv': …}` for server values. */
export type DatabaseValue =
  string | number | boolean | null | { [key: string]: DatabaseValue } | DatabaseValue[]
/** Returns a server value that adds `n` to the stored number in the same atomic write. */
export const increment = (n: number): DatabaseValue => ({ '.sv': { increment: n } })

/** Returns the value in the form the database stores: without undefined. */
export const toJson = (value: object): DatabaseValue =>
  JSON.parse(JSON.stringify(value)) as DatabaseValue
