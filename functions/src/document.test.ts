import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { callables, fetched, maps, posted } from './definitions'
import { endpointsDocument, shapeOf } from './document'

it('docs/endpoints.md is what the definitions say', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../docs/endpoints.md'), 'utf8')
  expect(committed).toBe(endpointsDocument())
})

it('a schema is written as one reads it', () => {
  const schema = v.object({
    id: v.pipe(v.string(), v.trim()),
    level: v.optional(v.picklist(['low', 'high']), 'low'),
    places: v.array(v.object({ lat: v.number() })),
  })
  expect(shapeOf(schema)).toBe(
    `{id: string, level?: 'low' \\| 'high' = "low", places: {lat: number}[]}`,
  )
})

it('each definition is named as it is exported', () => {
  const named = Object.entries({ ...callables, ...posted, ...fetched })
  expect(named.map(([key]) => key)).toEqual(named.map(([, { name }]) => name))
  expect(Object.entries(maps).map(([key]) => `googleapis-${key}`)).toEqual(
    Object.values(maps).map(({ name }) => name),
  )
})
