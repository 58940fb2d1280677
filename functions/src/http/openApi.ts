import { toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { getOwn } from '~/domain/data/ownValue'
import type { ErrorKey } from '~/domain/api/errorKeys'
import { getDeployedPath } from '~/domain/api/functionGroups'
import { callables, httpGet, httpPost, mapsProxies } from '../endpoints/registry'
import { getHttpStatus } from '../domainException'

interface Endpoint {
  name: string
  summary: string
  input: GenericSchema
  output: GenericSchema
  allow: readonly string[]
  errors: readonly ErrorKey[]
}
type JsonSchema = Record<string, unknown>

/** The names of records, which docs/endpoints.md and the entities describe. */
const collectComponents = () => {
  const components: Record<string, JsonSchema> = {}
  /** Moves each titled part of a schema to the components. */
  const reference = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reference)
    if (typeof value !== 'object' || value === null) return value
    const { title } = value as JsonSchema
    // A field may be called title too; then its value is a schema.
    const isTitled = typeof title === 'string'
    const parts = Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => key !== '$schema' && !(key === 'title' && isTitled))
        .map(([key, part]): [string, unknown] => [key, reference(part)]),
    )
    if (!isTitled) return parts
    // A record without a described shape is an object of the entity with this name.
    components[title] = 'type' in parts || 'enum' in parts ? parts : { type: 'object', ...parts }
    return { $ref: `#/components/schemas/${title}` }
  }
  return { components, reference }
}

/** Returns the JSON schema of what a client sends (`input`) or receives (`output`). */
const describe = (schema: GenericSchema, typeMode: 'input' | 'output') =>
  // Checks that JSON Schema cannot express, such as a time zone's name, are left out.
  toJsonSchema(schema, { typeMode, errorMode: 'ignore', target: 'draft-2020-12' })

const SECURITY: Readonly<Record<string, object>> = {
  anyone: {},
  'maps-key': { mapsKey: [] },
  'caller-key': { callerKey: [] },
}

type EndpointKind = 'callable' | 'post' | 'get'

/** Returns the refusals of an endpoint by their HTTP status. */
const describeRefusals = (errors: readonly ErrorKey[]): Record<string, object> =>
  Object.fromEntries(
    [...new Set(errors.map(getHttpStatus))].map((status) => [
      String(status),
      {
        description: errors.filter((key) => getHttpStatus(key) === status).join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  )

const toOperation = (
  { name, summary, input, output, allow, errors }: Endpoint,
  kind: EndpointKind,
  reference: (value: unknown) => unknown,
) => {
  const request = reference(describe(input, 'input')) as JsonSchema
  const response = reference(describe(output, 'output')) as JsonSchema
  const wrap = (key: string, schema: JsonSchema) =>
    kind === 'callable'
      ? { type: 'object', properties: { [key]: schema }, required: [key] }
      : schema
  const { properties = {}, required = [] } = request as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return {
    operationId: name,
    summary,
    security: [...new Set(allow.map((who) => getOwn(SECURITY, who) ?? { idToken: [] }))],
    ...(kind === 'get'
      ? {
          parameters: Object.entries(properties).map(([field, schema]) => ({
            name: field,
            in: 'query',
            required: required.includes(field),
            schema,
          })),
        }
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: wrap('data', request) } },
          },
        }),
    responses: {
      '200': {
        description: 'The response.',
        content: { 'application/json': { schema: wrap('result', response) } },
      },
      ...describeRefusals(errors),
    },
  }
}

/**
 * Returns the OpenAPI 3.1 document of all endpoints, at the paths of a deployed project. Callables
 * wrap the input in `data` and the response in `result`, as the Firebase SDKs do.
 */
const buildOpenApi = () => {
  const { components, reference } = collectComponents()
  const list = (group: object, kind: EndpointKind) =>
    (Object.values(group) as Endpoint[]).map((endpoint): [string, object] => [
      `/${getDeployedPath(endpoint.name)}`,
      { [kind === 'get' ? 'get' : 'post']: toOperation(endpoint, kind, reference) },
    ])
  const paths = Object.fromEntries([
    ...list(callables, 'callable'),
    ...list(httpPost, 'post'),
    ...list(mapsProxies, 'post'),
    ...list(httpGet, 'get'),
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kerbside',
      version: '1',
      description:
        'The endpoints of a deployed project. docs/endpoints.md describes limits and refusals.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: 'https://{region}-{project}.cloudfunctions.net',
        variables: { region: { default: 'us-central1' }, project: { default: 'acme-taxis' } },
      },
    ],
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(
          Object.entries(components).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        ),
        Error: {
          type: 'object',
          description: 'A refusal. A callable has it as the details of its FunctionsError.',
          properties: {
            error: { type: 'string' },
            key: { type: 'string' },
            field: { type: 'string' },
          },
          required: ['key'],
        },
      },
      securitySchemes: {
        idToken: { type: 'http', scheme: 'bearer', description: 'A Firebase ID token.' },
        mapsKey: { type: 'http', scheme: 'basic', description: 'The header of the maps proxies.' },
        callerKey: { type: 'apiKey', in: 'header', name: 'X-Kerbside-Key' },
      },
    },
  }
}

/** Returns the text of docs/openapi.json. */
export const renderOpenApi = (): string => `${JSON.stringify(buildOpenApi(), null, 2)}\n`
