import type { Value } from '~/domain/booking/change'

/** What is stored of a row: without the keys that are not its own to write, and without undefined. */
export const storable = <Row extends object>(row: Row, ...without: (keyof Row & string)[]): Value =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(
        Object.entries(row).filter(([key]) => !(without as string[]).includes(key)),
      ),
    ),
  ) as Value
