import * as v from 'valibot'
import type { RowSchema } from './liveSlice'

/**
 * A row as far as a screen depends on its shape. The rules guard what is written; this guards the page against
 * a record of an older version, so it names only what would break a screen and lets the rest through.
 */
export const rowOf = <Row>(entries: v.ObjectEntries): RowSchema<Row> =>
  v.looseObject({ id: v.string(), ...entries }) as unknown as RowSchema<Row>

/** Like `rowOf` for a record without an id, such as the settings. */
export const recordOf = <Row>(entries: v.ObjectEntries): RowSchema<Row> =>
  v.looseObject(entries) as unknown as RowSchema<Row>

/** A list that the database may hand back as an object with number keys. */
export const listOf = <Row>(entries: v.ObjectEntries) =>
  v.optional(
    v.union([
      v.pipe(
        v.array(v.nullish(v.looseObject(entries))),
        v.transform((rows) => rows.filter((row) => row !== null && row !== undefined) as Row[]),
      ),
      v.pipe(
        v.record(v.string(), v.looseObject(entries)),
        v.transform((rows) => Object.values(rows) as Row[]),
      ),
    ]),
  )
