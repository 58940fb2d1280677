import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { callables, httpGet, mapsProxies, httpPost } from '../endpoints/registry'
import { renderEndpointDocs, describeSchema } from './endpointDocs'
import { renderOpenApi } from './openApi'

it('docs/endpoints.md matches the definitions', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8')
  expect(committed).toBe(renderEndpointDocs())
})

it('docs/openapi.json matches the definitions and is a valid OpenAPI document', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')
  expect(committed).toBe(renderOpenApi())
  const { valid, errors } = await new Validator().validate(committed)
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
})

it('describes a schema in readable form', () => {
  const schema = v.object({
    id: v.pipe(v.string(), v.trim()),
    level: v.optional(v.picklist(['low', 'high']), 'low'),
    places: v.array(v.object({ lat: v.number() })),
  })
  expect(describeSchema(schema)).toBe(
    `{id: string, level?: 'low' \\| 'high' = "low", places: {lat: number}[]}`,
  )
})

it('names each definition as it is exported', () => {
  const named = Object.entries({ ...callables, ...httpPost, ...httpGet })
  expect(named.map(([key]) => key)).toEqual(named.map(([, { name }]) => name))
  expect(Object.entries(mapsProxies).map(([key]) => `googleapis-${key}`)).toEqual(
    Object.values(mapsProxies).map(({ name }) => name),
  )
})
