import type { GenericSchema } from 'valibot'
import type { ErrorKey } from '~/domain/errors'
import { callables, fetched, maps, posted } from './definitions'
import { codeOf, statusOf } from './refused'

/** The parts of a valibot schema that say what an input looks like. */
interface Shape {
  type: string
  entries?: Record<string, Shape>
  item?: Shape
  wrapped?: Shape
  options?: readonly (Shape | string)[]
  literal?: string
  default?: unknown
  pipe?: readonly Shape[]
}

/** What a schema accepts, in a few characters: `{lat: number, note?: string}`. */
export const shapeOf = (schema: GenericSchema): string => written(schema as unknown as Shape)

const written = (shape: Shape): string => {
  // A pipe's last schema is what remains of the input after its transformations.
  const last = shape.pipe?.filter((part) => 'entries' in part || 'options' in part).at(-1)
  const { type, entries, item, options = [], literal } = last ?? shape
  switch (type) {
    case 'object':
    case 'loose_object':
      return `{${Object.entries(entries ?? {})
        .map(([name, field]) => fieldOf(name, field))
        .join(', ')}}`
    case 'array':
      return `${item ? written(item) : 'unknown'}[]`
    case 'picklist':
      return options.map((option) => `'${String(option)}'`).join(' \\| ')
    case 'literal':
      return `'${literal ?? ''}'`
    case 'union':
    case 'variant':
      return options
        .map((option) => (typeof option === 'string' ? option : written(option)))
        .join(' \\| ')
    case 'record':
      return '{[name]: value}'
    default:
      return type
  }
}

const fieldOf = (name: string, field: Shape): string =>
  field.type === 'optional' && field.wrapped
    ? `${name}?: ${written(field.wrapped)}${field.default === undefined ? '' : ` = ${JSON.stringify(field.default)}`}`
    : `${name}: ${written(field)}`

interface Row {
  name: string
  summary: string
  input: GenericSchema
  allow: readonly string[]
  limit: number
  answers: string
  refuses: readonly ErrorKey[]
}

const section = ({ name, summary, input, allow, limit, answers, refuses }: Row) => {
  const errors = refuses.map((key) => `\`${key}\` (${codeOf(key)})`).join(', ')
  return [
    `### ${name}`,
    '',
    summary,
    '',
    '| | |',
    '| --- | --- |',
    `| input | \`${shapeOf(input)}\` |`,
    `| answer | \`${answers.replaceAll('|', '\\|')}\` |`,
    `| who | ${allow.join(', ')} |`,
    `| limit | ${limit} calls a minute |`,
    ...(errors ? [`| refuses | ${errors} |`] : []),
    '',
  ].join('\n')
}

const group = (title: string, how: string, definitions: object) =>
  [`## ${title}`, '', how, '', ...(Object.values(definitions) as Row[]).map(section)].join('\n')

const SHARED = [
  'bad_input',
  'must_login',
  'not_allowed',
  'require_approval',
  'too_many_requests',
] as const

/** docs/endpoints.md: every endpoint with its input, answer, callers, limit and errors. */
export const endpointsDocument = (): string =>
  [
    '# Endpoints',
    '',
    'Generated from `functions/src/endpoints` by `npm run docs:endpoints`; do not edit.',
    '',
    'Region us-central1. A refusal of a callable is a `FunctionsError` with `details: {key, field?, …}`;',
    'of a plain endpoint the status with `{error, key, field?, …}`. Every endpoint may refuse with:',
    '',
    '| key | code | status |',
    '| --- | --- | --- |',
    ...SHARED.map((key) => `| \`${key}\` | ${codeOf(key)} | ${statusOf(key)} |`),
    '',
    group('Callables', 'Called with `httpsCallable`.', callables),
    group(
      'Plain JSON over POST',
      'With an ID token as `Authorization: Bearer`, where one is needed.',
      posted,
    ),
    group('Maps proxies', 'With the fixed basic-auth header or an ID token. POST.', maps),
    group('Plain JSON over GET', 'Input in the query string.', fetched),
  ]
    .join('\n')
    .replace(/\n+$/, '\n')
