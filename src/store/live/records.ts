import type { DatabaseValue } from '~/domain/data/databaseValue'

/** Returns a row as stored: without the given keys and without undefined. */
export const toRecord = <Row extends object>(
  row: Row,
  ...without: (keyof Row & string)[]
): Record<string, DatabaseValue> =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(row).filter(([key]) => !(without as string[]).includes(key)),
      ),
    ),
  ) as Record<string, DatabaseValue>

/**
 * Maps each field to its own path, so that a write leaves the others unchanged; undefined removes a
 * field.
 */
export const toFieldUpdates = (path: string, fields: object): Record<string, DatabaseValue> =>
  Object.fromEntries(
    Object.entries(fields as Record<string, DatabaseValue | undefined>).map(([field, value]) => [
      `${path}/${field}`,
      value ?? null,
    ]),
  )
