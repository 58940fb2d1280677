import { expect, test } from 'vitest'
import { callables } from './endpointList'
import { parseInput } from './requestHandler'

/** The parts of a schema that the walk needs. */
interface SchemaPart {
  type: string
  entries?: Record<string, SchemaPart>
  options?: SchemaPart[]
  wrapped?: SchemaPart
  item?: SchemaPart
  value?: SchemaPart
  pipe?: SchemaPart[]
}

/** Returns the paths of the objects in a schema that would accept an unknown field. */
const findOpenObjects = (schema: SchemaPart, path: string): string[] => {
  const { type, entries = {}, options = [], wrapped, item, value, pipe = [] } = schema
  const children: [string, SchemaPart | undefined][] = [
    ...Object.entries(entries),
    ...[...options, wrapped, item, value, ...pipe.filter((part) => part !== schema)].map(
      (part): [string, SchemaPart | undefined] => ['', part],
    ),
  ]
  return [
    ...(type === 'object' || type === 'loose_object' ? [path] : []),
    ...children.flatMap(([name, part]) =>
      typeof part === 'object' && 'type' in part ? findOpenObjects(part, `${path}/${name}`) : [],
    ),
  ]
}

test('every callable refuses fields that it does not know, also in nested objects', () => {
  const open = Object.entries(callables).flatMap(([name, { input }]) =>
    findOpenObjects(input as unknown as SchemaPart, name),
  )
  expect([...new Set(open)]).toEqual([])
})

test('a misspelled field is refused with its name instead of being ignored', () => {
  const parse = () => parseInput(callables.delete_user.input, { id: 'rider', uid: 'driver' })
  expect(parse).toThrow(
    expect.objectContaining({ error: expect.objectContaining({ key: 'bad_input', field: 'uid' }) }),
  )
  expect(() => parseInput(callables.delete_user.input, {})).toThrow()
})
