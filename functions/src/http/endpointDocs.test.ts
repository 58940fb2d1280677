import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Validator } from '@seriousme/openapi-schema-validator'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { PROVIDER_IDS } from '~/domain/payments/providers'
import { callables, httpGet, mapsProxies, httpPost } from '../endpoints/registry'
import { renderEndpointDocs, describeSchema } from './endpointDocs'
import { renderOpenApi } from './openApi'

/** Compares line by line, because a message with both documents is unreadable. */
const expectSameLines = (text: string, expected: string) => {
  const expectedLines = expected.split('\n')
  const lines = text.split('\n')
  const at = expectedLines.findIndex((line, index) => line !== lines[index])
  expect(at < 0 ? lines.slice(expectedLines.length) : lines.slice(at, at + 1)).toEqual(
    at < 0 ? [] : [expectedLines[at]],
  )
}

it('docs/endpoints.md matches the definitions (npm run generate writes it)', () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/endpoints.md'), 'utf8')
  expectSameLines(committed, renderEndpointDocs())
})

it('docs/openapi.json matches the definitions (npm run generate writes it) and is valid', async () => {
  const committed = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8')
  expectSameLines(committed, renderOpenApi())
  const { valid, errors } = await new Validator().validate(committed)
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
})

it.each(['docs/payments/README.md', 'docs/deploying.md'])(
  '%s has a row of each payment provider',
  (file) => {
    const text = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8')
    const left = PROVIDER_IDS.filter(
      (id) => id !== 'test' && !new RegExp(`^\\| .?${id}\\b`, 'm').test(text),
    )
    expect(left).toEqual([])
  },
)

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
