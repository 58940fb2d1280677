import { type BaseIssue, type BaseSchema, safeParse } from 'valibot'

type Schema = BaseSchema<unknown, unknown, BaseIssue<unknown>>

/**
 * Returns the schema of one form value by its path ("rows.0.amount"), through objects, lists and
 * wrappers.
 */
const schemaAt = (schema: Schema, path: readonly string[]): Schema | undefined => {
  const [name, ...rest] = path
  if (name === undefined) return schema
  if ('wrapped' in schema) return schemaAt(schema.wrapped as Schema, path)
  if ('item' in schema) return schemaAt(schema.item as Schema, rest)
  if (!('entries' in schema)) return undefined
  const field = (schema.entries as Record<string, Schema>)[name]
  return field && schemaAt(field, rest)
}
const isRejected = (schema: Schema, value: unknown) => !safeParse(schema, value).success

/** Returns true when the form's schema refuses every value that an empty field can have. */
export const isRequired = (schema: Schema, name: string): boolean => {
  const field = schemaAt(schema, name.split('.'))
  return field !== undefined && ['', null, undefined].every((blank) => isRejected(field, blank))
}

/**
 * Returns true when the form has a required field; a switch does not count, because it always has a
 * value.
 */
export const hasRequiredField = (schema: Schema): boolean => {
  const names = 'entries' in schema ? Object.keys(schema.entries as object) : []
  return names.some((name) => {
    const field = schemaAt(schema, [name])
    return field?.type !== 'boolean' && isRequired(schema, name)
  })
}
