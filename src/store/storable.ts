import type { Value } from '~/domain/booking/change'

/** What is stored of a row: without the keys that are not its own to write, and without undefined. */
export const storable = <Row extends object>(
  row: Row,
  ...without: (keyof Row & string)[]
): Record<string, Value> =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(row).filter(([key]) => !(without as string[]).includes(key)),
      ),
    ),
  ) as Record<string, Value>

/** Each field at its own path, so that a write leaves the others as they are; undefined removes one. */
export const fieldsAt = (path: string, fields: object): Record<string, Value> =>
  Object.fromEntries(
    Object.entries(fields as Record<string, Value | undefined>).map(([field, value]) => [
      `${path}/${field}`,
      value ?? null,
    ]),
  )
