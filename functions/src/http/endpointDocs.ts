import type { GenericSchema } from 'valibot'
import type { ErrorKey } from '~/domain/api/errorKeys'
import { callables, httpGet, mapsProxies, httpPost } from '../endpoints/registry'
import { getErrorCode, getHttpStatus } from '../domainException'
import type { Cost } from '../ports/costs'

/** The parts of a valibot schema that describe a value. */
interface SchemaShape {
  type: string
  title?: string
  description?: string
  entries?: Record<string, SchemaShape>
  item?: SchemaShape
  wrapped?: SchemaShape
  options?: readonly (SchemaShape | string)[]
  literal?: string | number | boolean
  default?: unknown
  pipe?: readonly SchemaShape[]
}

/** Returns a short description of what a schema describes: `{lat: number, note?: string}`. */
export const describeSchema = (schema: GenericSchema): string => formatShape(schema)

const formatShape = (shape: SchemaShape): string => {
  // A record has the name of its entity.
  const title = shape.pipe?.find((part) => part.type === 'title')?.title
  if (title !== undefined) return title
  const description = shape.pipe?.find((part) => part.type === 'description')?.description
  if (description !== undefined) return description
  // The last schema of a pipe describes the input after its transformations.
  const last = shape.pipe?.filter((part) => 'entries' in part || 'options' in part).at(-1)
  const { type, entries, item, options = [], literal, wrapped } = last ?? shape
  switch (type) {
    case 'object':
    case 'strict_object':
    case 'loose_object':
      return `{${Object.entries(entries ?? {})
        .map(([name, field]) => formatField(name, field))
        .join(', ')}}`
    case 'array':
      return `${item ? formatShape(item) : 'unknown'}[]`
    case 'nullable':
      return `${wrapped ? formatShape(wrapped) : 'unknown'} \\| null`
    case 'intersect':
      return options
        .map((option) => (typeof option === 'string' ? option : formatShape(option)))
        .join(' & ')
    case 'picklist':
      return options
        .map((option) => `'${typeof option === 'string' ? option : formatShape(option)}'`)
        .join(' \\| ')
    case 'literal':
      return typeof literal === 'string' ? `'${literal}'` : String(literal)
    case 'union':
    case 'variant':
      return options
        .map((option) => (typeof option === 'string' ? option : formatShape(option)))
        .join(' \\| ')
    case 'record':
      return '{[name]: value}'
    default:
      return type
  }
}

const formatField = (name: string, field: SchemaShape): string =>
  field.type === 'optional' && field.wrapped
    ? `${name}?: ${formatShape(field.wrapped)}${field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`}`
    : `${name}: ${formatShape(field)}`

interface EndpointRow {
  name: string
  summary: string
  input: GenericSchema
  allow: readonly string[]
  limit: number
  dailyLimit?: number | 'none'
  spends: readonly Cost[]
  output: GenericSchema
  errors: readonly ErrorKey[]
}

const formatDailyLimit = (dailyLimit: EndpointRow['dailyLimit']): string => {
  if (dailyLimit === undefined) return ''
  return dailyLimit === 'none'
    ? ', no limit of a day'
    : `, ${dailyLimit.toLocaleString('en')} a day`
}

const formatEndpoint = ({
  name,
  summary,
  input,
  allow,
  limit,
  dailyLimit,
  spends,
  output,
  errors: refuses,
}: EndpointRow) => {
  const errors = refuses.map((key) => `\`${key}\` (${getErrorCode(key)})`).join(', ')
  return [
    `### ${name}`,
    '',
    summary,
    '',
    '| | |',
    '| --- | --- |',
    `| input | \`${describeSchema(input)}\` |`,
    `| answer | \`${describeSchema(output)}\` |`,
    `| who | ${allow.join(', ')} |`,
    `| limit | ${limit} calls a minute${formatDailyLimit(dailyLimit)} |`,
    ...(spends.length > 0 ? [`| spends | ${spends.join(', ')} |`] : []),
    ...(errors ? [`| refuses | ${errors} |`] : []),
    '',
  ].join('\n')
}

const formatGroup = (title: string, how: string, definitions: object) =>
  [
    `## ${title}`,
    '',
    how,
    '',
    ...(Object.values(definitions) as EndpointRow[]).map(formatEndpoint),
  ].join('\n')

const SHARED_ERRORS = [
  'bad_input',
  'text_not_allowed',
  'link_not_allowed',
  'must_login',
  'session_ended',
  'session_expired',
  'not_allowed',
  'require_approval',
  'too_many_requests',
  'too_many_today',
  'maintenance',
  'schema_newer',
  'schema_older',
  'sign_in_not_offered',
  'not_configured',
] as const

/**
 * Returns the text of docs/endpoints.md: every endpoint with its input, response, callers, limit
 * and errors.
 */
export const renderEndpointDocs = (): string =>
  [
    '# Endpoints',
    '',
    'Generated from `domain/api/api.ts` and `functions/src/endpoints` by `npm run generate`; do not edit. `openapi.json` has the same for programs.',
    '',
    'In the emulator the path of an endpoint is its name. In a deployed project the path depends on the function that serves it:',
    '',
    '| endpoint | path |',
    '| --- | --- |',
    '| `create_booking`, `advance_booking`, `setup` | its name |',
    '| `googleapis-…`, `import_bookings` | `maps/` and its name |',
    '| `get_providers`, `start_payment`, `refund_payment`, `resolve_payment`, `run_sweep`, `pay_…`, `payment_return`, `payment_webhook`, `message_webhook` | `payments/` and its name |',
    '| all others | `api/` and its name |',
    '',
    'A refused callable throws a `FunctionsError` with `details: {key, field?, …}`;',
    'a refused plain endpoint returns the status with `{error, key, field?, …}`. A field that an endpoint does not know is `bad_input` with its name;',
    'fields described as `ignored` are accepted and not used. `spends` names what a call can make the platform pay for;',
    'a limit of a day holds for everyone except admins. Every endpoint may refuse with:',
    '',
    '| key | code | status |',
    '| --- | --- | --- |',
    ...SHARED_ERRORS.map((key) => `| \`${key}\` | ${getErrorCode(key)} | ${getHttpStatus(key)} |`),
    '',
    formatGroup('Callables', 'Call them with `httpsCallableFromURL`.', callables),
    formatGroup(
      'Plain JSON over POST',
      'Send an ID token as `Authorization: Bearer` where one is needed, and the key of the telephone system as `X-Kerbside-Key` to `caller`.',
      httpPost,
    ),
    formatGroup(
      'Maps proxies',
      'Send the fixed basic-auth header or an ID token. POST.',
      mapsProxies,
    ),
    formatGroup('Plain JSON over GET', 'Send the input in the query string.', httpGet),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
