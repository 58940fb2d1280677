import type { CallExpression, MemberExpression, Node } from 'acorn'
import {
  canBe,
  compileString,
  countResults,
  createRuntimeError,
  createSyntaxError,
  expectString,
  ExpressionSyntaxError,
  isDynamicType,
  toTyped,
  type Compiler,
  type Evaluator,
  type ExpressionType,
  type TypedExpression,
} from './expressionTypes'
import { compilePattern, PatternError } from './pattern'
import type { QueryFacts } from './queryFacts'
import { OpaqueBranch, type RulePath } from './rulePath'
import { splitPath } from '../tree/path'

const QUERY_TYPES: Readonly<Record<keyof QueryFacts, ExpressionType>> = {
  orderByKey: 'boolean',
  orderByPriority: 'boolean',
  orderByValue: 'boolean',
  orderByChild: 'string',
  startAt: 'primitive',
  endAt: 'primitive',
  equalTo: 'primitive',
  limitToFirst: 'number',
  limitToLast: 'number',
}
const isQueryFact = (name: string): name is keyof QueryFacts => Object.hasOwn(QUERY_TYPES, name)

interface StringMethod {
  readonly arguments: number
  readonly returns: ExpressionType
  readonly call: (text: string, a: string, b: string) => unknown
}
const STRING_METHODS: ReadonlyMap<string, StringMethod> = new Map([
  ['contains', { arguments: 1, returns: 'boolean', call: (text, a) => text.includes(a) }],
  ['beginsWith', { arguments: 1, returns: 'boolean', call: (text, a) => text.startsWith(a) }],
  ['endsWith', { arguments: 1, returns: 'boolean', call: (text, a) => text.endsWith(a) }],
  [
    'replace',
    { arguments: 2, returns: 'string', call: (text, a, b) => text.replaceAll(a, () => b) },
  ],
  ['toLowerCase', { arguments: 0, returns: 'string', call: (text) => text.toLowerCase() }],
  ['toUpperCase', { arguments: 0, returns: 'string', call: (text) => text.toUpperCase() }],
])

interface SnapshotMethod {
  readonly returns: ExpressionType
  readonly call: (place: RulePath) => unknown
}
const SNAPSHOT_METHODS: ReadonlyMap<string, SnapshotMethod> = new Map([
  [
    'val',
    {
      returns: 'primitive',
      call: ({ view }) => (view.hasChildren() ? new OpaqueBranch(view) : view.value()),
    },
  ],
  ['exists', { returns: 'boolean', call: ({ view }) => view.exists }],
  ['getPriority', { returns: 'any', call: ({ view }) => view.priority() }],
  ['isNumber', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'number' }],
  ['isString', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'string' }],
  ['isBoolean', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'boolean' }],
])

const readProperty = (object: unknown, key: string): unknown => {
  if (typeof object === 'string') return key === 'length' ? object.length : null
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return null
  return object instanceof OpaqueBranch ? null : ((object as Record<string, unknown>)[key] ?? null)
}

/** Returns a member's name when it is known at load time: `.name` or `['name']`. */
const getMemberName = ({ computed, property: key }: MemberExpression): string | null => {
  if (!computed) return key.type === 'Identifier' ? key.name : null
  return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null
}

export const compileMember = (compiler: Compiler, node: MemberExpression): TypedExpression => {
  const name = getMemberName(node)
  const object = compiler.compile(node.object)
  const unknown = () =>
    createSyntaxError(node.property, `No such method/property '${name ?? '[…]'}'.`)
  switch (object.type) {
    case 'query': {
      if (name === null || !isQueryFact(name)) throw unknown()
      return toTyped(compiler, node, QUERY_TYPES[name], (env) => env.query[name])
    }
    case 'string':
    case 'primitive':
      if (name !== 'length') throw unknown()
      return {
        type: object.type === 'string' ? 'number' : 'any',
        evaluate: (env) => readProperty(object.evaluate(env), 'length'),
      }
    case 'any': {
      if (name !== null)
        return { type: 'any', evaluate: (env) => readProperty(object.evaluate(env), name) }
      const key = compiler.compile(node.property)
      if (!canBe(key.type, 'string', 'number'))
        throw createSyntaxError(node.property, 'Invalid property.')
      const failed = createRuntimeError(compiler, node.property)
      return {
        type: 'any',
        evaluate: (env) => {
          const at = key.evaluate(env)
          if (typeof at !== 'string' && typeof at !== 'number') throw failed
          return readProperty(object.evaluate(env), String(at))
        },
      }
    }
    default:
      throw unknown()
  }
}

/** Returns the place that a path argument names, relative to a snapshot. */
const compilePath = (
  compiler: Compiler,
  place: Evaluator<RulePath>,
  argument: Node,
  method: string,
): Evaluator<RulePath> => {
  if (argument.type === 'Literal') {
    const { value } = argument as Node & { value: unknown }
    if (typeof value === 'string') {
      const segments = splitPath(value)
      return (env) => place(env).descend(segments)
    }
  }
  const path = compileString(compiler, argument, `${method} needs a string.`)
  return (env) => {
    const from = place(env)
    return from.descend(splitPath(path(env)))
  }
}

const compileHasChildren = (
  compiler: Compiler,
  node: CallExpression,
  place: Evaluator<RulePath>,
): TypedExpression => {
  const [list] = node.arguments
  if (!list) return countResults(compiler, node, (env) => place(env).view.hasChildren())
  if (node.arguments.length > 1 || list.type !== 'ArrayExpression') {
    throw createSyntaxError(list, 'hasChildren takes one argument: a list of strings.')
  }
  if (list.elements.length === 0)
    throw createSyntaxError(list, 'hasChildren needs at least one name.')
  const places = list.elements.map((element) => {
    if (!element) throw createSyntaxError(list, 'hasChildren needs a list of strings.')
    return compilePath(compiler, place, element, 'hasChildren')
  })
  // Evaluates every name first, so that an invalid one always fails.
  return countResults(compiler, node, (env) =>
    places.map((at) => at(env).view.exists).every((exists) => exists),
  )
}

const compileSnapshotCall = (
  compiler: Compiler,
  node: CallExpression,
  name: string,
  place: Evaluator<RulePath>,
): TypedExpression => {
  const [argument, ...rest] = node.arguments
  if (name === 'hasChildren') return compileHasChildren(compiler, node, place)
  if (name === 'child' || name === 'hasChild') {
    if (!argument || rest.length > 0) throw createSyntaxError(node, `${name} takes one argument.`)
    const at = compilePath(compiler, place, argument, name)
    return name === 'child'
      ? { type: 'snapshot', evaluate: at }
      : countResults(compiler, node, (env) => at(env).view.exists)
  }
  if (argument) throw createSyntaxError(argument, `${name} takes no arguments.`)
  if (name === 'parent') {
    const failed = createRuntimeError(compiler, node)
    return {
      type: 'snapshot',
      evaluate: (env) => {
        const { parent } = place(env)
        if (!parent) throw failed
        return parent
      },
    }
  }
  const method = SNAPSHOT_METHODS.get(name)
  if (!method) throw createSyntaxError(node.callee, `No such method/property '${name}'.`)
  return toTyped(compiler, node, method.returns, (env) => method.call(place(env)))
}

const compileMatches = (
  compiler: Compiler,
  node: CallExpression,
  subject: Evaluator<string>,
): TypedExpression => {
  const [argument] = node.arguments
  const pattern =
    argument?.type === 'Literal' && node.arguments.length === 1 ? argument.regex : undefined
  if (!argument || !pattern)
    throw createSyntaxError(node, 'matches takes one regular expression literal.')
  try {
    const test = compilePattern(pattern.pattern, pattern.flags)
    return countResults(compiler, node, (env) => test(subject(env)))
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    throw new ExpressionSyntaxError(
      `Invalid regular expression: ${error.message}`,
      argument.start + 1 + error.index,
    )
  }
}

const compileStringCall = (
  compiler: Compiler,
  node: CallExpression,
  name: string,
  object: TypedExpression,
): TypedExpression => {
  const method = STRING_METHODS.get(name)
  if (!method && name !== 'matches') {
    throw createSyntaxError(node.callee, `No such method/property '${name}'.`)
  }
  const subject = expectString(compiler, node, object.evaluate)
  if (!method) return compileMatches(compiler, node, subject)
  if (node.arguments.length !== method.arguments) {
    throw createSyntaxError(node, `${name} takes ${method.arguments} argument(s).`)
  }
  const [first, second] = node.arguments.map((argument) =>
    compileString(compiler, argument, `${name} needs strings.`),
  )
  const run: Evaluator = (env) => method.call(subject(env), first?.(env) ?? '', second?.(env) ?? '')
  return toTyped(compiler, node, method.returns, run)
}

export const compileCall = (compiler: Compiler, node: CallExpression): TypedExpression => {
  const { callee } = node
  if (callee.type !== 'MemberExpression')
    throw createSyntaxError(callee, 'Only methods can be called.')
  const name = getMemberName(callee)
  if (name === null) throw createSyntaxError(callee.property, 'Invalid property access.')
  const object = compiler.compile(callee.object)
  if (object.type === 'snapshot')
    return compileSnapshotCall(compiler, node, name, object.evaluate as Evaluator<RulePath>)
  if (object.type === 'string' || isDynamicType(object.type))
    return compileStringCall(compiler, node, name, object)
  throw createSyntaxError(callee.property, `No such method/property '${name}'.`)
}
