import * as v from 'valibot'
import type { RowSchema } from './liveSlice'

/**
 * Creates the schema of a record, with only the fields that would break a screen. The rules check
 * writes; this protects the page from records of older versions and lets other fields through.
 */
export const createRecordSchema = <Row>(entries: v.ObjectEntries): RowSchema<Row> =>
  // The schema checks less than the type says, as described above.
  v.looseObject(entries) as unknown as RowSchema<Row>

/** Like `createRecordSchema`, for a row of a list, which has an id. */
export const createRowSchema = <Row>(entries: v.ObjectEntries): RowSchema<Row> =>
  createRecordSchema({ id: v.string(), ...entries })

/** Creates the schema of a list that the database may return as an object with number keys. */
export const createListSchema = <Row>(entries: v.ObjectEntries) =>
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
