import {
  CallTypeError,
  callMethod,
  FUNCTIONS,
  getMethodArity,
  NAMESPACES,
  compilePattern,
} from './standardLibrary'
import { negateValue, OPERATORS } from './operators'
import { parseStorageRules } from './parser'
import { StorageRulesSyntaxError } from './syntaxTree'
import type { Expression, FunctionDeclaration, Match, PathSegment } from './syntaxTree'
import { isList, isMap, PathValue, getTypeName } from './values'
import type { MapValue, Value } from './values'

/** A request as rules see it. */
export interface StorageRequest {
  /** `get`, `list`, `create`, `update` or `delete`. */
  readonly method: string
  /** `['b', bucket, 'o', …segments of the object's name]`. */
  readonly path: readonly string[]
  readonly request: MapValue
  readonly resource: Value
}

interface RulesDecision {
  readonly permit: boolean
  /** Runtime errors of conditions that could have allowed the request; empty when permitted. */
  readonly errors: readonly { readonly message: string; readonly at: number }[]
}

export interface StorageRules {
  readonly version: 1 | 2
  evaluate(request: StorageRequest): RulesDecision
}

/**
 * A runtime error of a condition. It denies the request unless `||` or `&&` is decided without it.
 */
class EvaluationError extends Error {
  constructor(
    message: string,
    readonly at: number,
  ) {
    super(message)
  }
}

interface EvaluationContext {
  readonly request: MapValue
  readonly resource: Value
  /** The values of the wildcards on the path, outermost first. */
  readonly captures: readonly Value[]
  /** The parameters and `let` values of the current function. */
  readonly locals: Value[]
}
type Evaluator = (env: EvaluationContext) => Value

/** A function with its scope. Its body is compiled on the first call. */
interface DeclaredFunction {
  readonly declaration: FunctionDeclaration
  readonly scope: Scope
  run: ((env: EvaluationContext, values: Value[]) => Value) | null
  isCompiling: boolean
}

interface Scope {
  readonly captures: ReadonlyMap<string, number>
  /**
   * The number of names is not enough, because an inner wildcard may hide an outer one of the same
   * name.
   */
  readonly captureCount: number
  readonly functions: ReadonlyMap<string, DeclaredFunction>
  readonly locals: ReadonlyMap<string, number>
}

interface CompiledMatch {
  readonly path: readonly PathSegment[]
  readonly allows: readonly {
    readonly at: number
    readonly methods: ReadonlySet<string>
    readonly holds: Evaluator
  }[]
  readonly matches: readonly CompiledMatch[]
}

const METHOD_GROUPS: Readonly<Record<string, readonly string[]>> = {
  read: ['get', 'list'],
  write: ['create', 'update', 'delete'],
}
const REQUEST_FIELDS = ['auth', 'method', 'params', 'path', 'resource', 'time']
const RESOURCE_FIELDS = [
  ...[
    'bucket',
    'contentDisposition',
    'contentEncoding',
    'contentLanguage',
    'contentType',
    'crc32c',
  ],
  ...['etag', 'generation', 'md5Hash', 'metadata', 'metageneration', 'name', 'size', 'timeCreated'],
  ...['updated', 'cacheControl'],
]
const TYPE_NAMES = [
  ...['bool', 'bytes', 'duration', 'float', 'int', 'latlng', 'list', 'map', 'map_diff', 'number'],
  ...['path', 'set', 'string', 'timestamp'],
]

/** Compiles storage rules. Throws a StorageRulesSyntaxError for unknown syntax. */
export const compileStorageRules = (text: string): StorageRules => {
  const file = parseStorageRules(text)
  const scope = addFunctions(
    { captures: new Map(), captureCount: 0, functions: new Map(), locals: new Map() },
    file.functions,
  )
  const matches = file.matches.map((match) => compileMatch(match, scope, file.version))
  return {
    version: file.version,
    evaluate: (request) => evaluateMatches(matches, file.version, request),
  }
}

const addFunctions = (scope: Scope, declarations: readonly FunctionDeclaration[]): Scope => {
  const functions = new Map(scope.functions)
  const inner: Scope = { ...scope, functions }
  const declaredNames = new Set<string>()
  for (const declaration of declarations) {
    const { name, at } = declaration
    if (declaredNames.has(name))
      throw new StorageRulesSyntaxError(`Function '${name}' is declared twice`, at)
    if (FUNCTIONS.has(name) || NAMESPACES.has(name)) {
      throw new StorageRulesSyntaxError(`'${name}' is a function of the language`, at)
    }
    declaredNames.add(name)
    functions.set(name, { declaration, scope: inner, run: null, isCompiling: false })
  }
  // Unused functions must be valid as well.
  for (const name of declaredNames) {
    const declared = functions.get(name)
    if (declared) compileFunction(declared)
  }
  return inner
}

const compileFunction = (declared: DeclaredFunction): void => {
  if (declared.run) return
  const { declaration, scope } = declared
  if (declared.isCompiling) {
    throw new StorageRulesSyntaxError(`Function '${declaration.name}' calls itself`, declaration.at)
  }
  declared.isCompiling = true
  const locals = new Map<string, number>()
  const declare = (name: string) => {
    if (locals.has(name)) {
      throw new StorageRulesSyntaxError(`'${name}' is declared twice`, declaration.at)
    }
    locals.set(name, locals.size)
  }
  declaration.parameters.forEach(declare)
  const lets = declaration.variables.map(({ name, value }) => {
    const run = compileExpression(value, { ...scope, locals: new Map(locals) })
    declare(name)
    return run
  })
  const result = compileExpression(declaration.result, { ...scope, locals })
  declared.run = (env, values) => {
    const inner: EvaluationContext = { ...env, locals: [...values] }
    for (const value of lets) inner.locals.push(value(inner))
    return result(inner)
  }
  declared.isCompiling = false
}

const compileMatch = (match: Match, outer: Scope, version: 1 | 2): CompiledMatch => {
  const captures = new Map(outer.captures)
  let captureCount = outer.captureCount
  let many = false
  match.path.forEach((segment, i) => {
    if (segment.kind === 'literal') return
    if (segment.kind === 'many') {
      if (many || (version === 1 && i < match.path.length - 1)) {
        throw new StorageRulesSyntaxError(
          `{${segment.name}=**} must be the last of its path`,
          segment.at,
        )
      }
      many = true
    }
    captures.set(segment.name, captureCount++)
  })
  const scope = addFunctions({ ...outer, captures, captureCount }, match.functions)
  return {
    path: match.path,
    allows: match.allows.map(({ at, methods, condition }) => ({
      at,
      methods: new Set(methods.flatMap((name) => METHOD_GROUPS[name] ?? [name])),
      holds: condition ? compileExpression(condition, scope) : () => true,
    })),
    matches: match.matches.map((inner) => compileMatch(inner, scope, version)),
  }
}

const compileExpression = (expression: Expression, scope: Scope): Evaluator => {
  const compile = (inner: Expression) => compileExpression(inner, scope)
  const { at } = expression
  const fail = (message: string) => new StorageRulesSyntaxError(message, at)
  const located =
    (run: Evaluator): Evaluator =>
    (env) => {
      try {
        return run(env)
      } catch (error) {
        throw error instanceof CallTypeError ? new EvaluationError(error.message, at) : error
      }
    }

  switch (expression.kind) {
    case 'literal': {
      const { value } = expression
      return () => value
    }
    case 'name':
      return compileIdentifier(expression.name, scope, fail)
    case 'list': {
      const items = expression.items.map(compile)
      return (env) => items.map((item) => item(env))
    }
    case 'map': {
      const entries = expression.entries.map(
        ([key, value]) => [compile(key), compile(value)] as const,
      )
      return located((env) => {
        const map = new Map<string, Value>()
        for (const [key, value] of entries) {
          const name = key(env)
          if (typeof name !== 'string') throw new CallTypeError('A map key must be a string')
          map.set(name, value(env))
        }
        return map
      })
    }
    case 'unary': {
      const operand = compile(expression.operand)
      if (expression.operator === '-') return located((env) => negateValue(operand(env)))
      return (env) => !expectBoolean(operand(env), at)
    }
    case 'binary': {
      const left = compile(expression.left)
      const right = compile(expression.right)
      if (expression.operator === '||') return evaluateLogical(left, right, true, at)
      if (expression.operator === '&&') return evaluateLogical(left, right, false, at)
      const operator = OPERATORS.get(expression.operator)
      if (!operator) throw fail(`Unknown operator '${expression.operator}'`)
      return located((env) => operator(left(env), right(env)))
    }
    case 'is': {
      const { type } = expression
      if (!TYPE_NAMES.includes(type)) throw fail(`Unknown type '${type}'`)
      const operand = compile(expression.operand)
      return (env) => {
        const actual = getTypeName(operand(env))
        return actual === type || (type === 'number' && (actual === 'int' || actual === 'float'))
      }
    }
    case 'conditional': {
      const test = compile(expression.test)
      const whenTrue = compile(expression.whenTrue)
      const whenFalse = compile(expression.whenFalse)
      return (env) => (expectBoolean(test(env), at) ? whenTrue : whenFalse)(env)
    }
    case 'member': {
      const { name } = expression
      assertKnownField(expression.object, name, scope, fail)
      const object = compile(expression.object)
      return located((env) => readMember(object(env), name))
    }
    case 'index': {
      const object = compile(expression.object)
      const index = compile(expression.index)
      return located((env) => readElement(object(env), index(env)))
    }
    case 'slice': {
      const [object, from, to] = [expression.object, expression.from, expression.to].map(compile)
      if (!object || !from || !to) throw fail('Incomplete range')
      return located((env) => readSlice(object(env), from(env), to(env)))
    }
    case 'call':
      return compileCall(expression.name, expression.arguments.map(compile), scope, at)
    case 'method': {
      const { name } = expression
      const space = expression.object.kind === 'name' ? expression.object.name : ''
      const values = expression.arguments.map(compile)
      if (NAMESPACES.has(space) && !isVariable(space, scope)) {
        return compileCall(`${space}.${name}`, values, scope, at)
      }
      const arity = getMethodArity(name)
      if (!arity) throw fail(`Unknown method '${name}'`)
      if (!arity.includes(values.length)) {
        throw fail(`'${name}' does not take ${values.length} argument(s)`)
      }
      assertValidPattern(expression, fail)
      const object = compile(expression.object)
      return located((env) => {
        const self = object(env)
        return callMethod(
          self,
          name,
          values.map((value) => value(env)),
        )
      })
    }
  }
}

const isVariable = (name: string, { locals, captures }: Scope): boolean =>
  locals.has(name) || captures.has(name)

const compileIdentifier = (
  name: string,
  { locals, captures }: Scope,
  fail: (message: string) => StorageRulesSyntaxError,
): Evaluator => {
  const local = locals.get(name)
  if (local !== undefined) return ({ locals: values }) => values[local] ?? null
  const capture = captures.get(name)
  if (capture !== undefined) return ({ captures: values }) => values[capture] ?? null
  if (name === 'request') return ({ request }) => request
  if (name === 'resource') return ({ resource }) => resource
  throw fail(`Unknown variable '${name}'`)
}

const compileCall = (name: string, values: Evaluator[], scope: Scope, at: number): Evaluator => {
  const declared = scope.functions.get(name)
  const arities = declared ? [declared.declaration.parameters.length] : FUNCTIONS.get(name)?.arity
  if (!arities) throw new StorageRulesSyntaxError(`Unknown function '${name}'`, at)
  if (!arities.includes(values.length)) {
    throw new StorageRulesSyntaxError(`'${name}' does not take ${values.length} argument(s)`, at)
  }
  const call = FUNCTIONS.get(name)?.call
  if (declared) {
    compileFunction(declared)
    const { run } = declared
    if (run) {
      return (env) =>
        run(
          env,
          values.map((value) => value(env)),
        )
    }
  }
  return (env) => {
    try {
      return call?.(...values.map((value) => value(env))) ?? null
    } catch (error) {
      throw error instanceof CallTypeError ? new EvaluationError(error.message, at) : error
    }
  }
}

/**
 * Refuses an unknown field of `request` or `resource`, because a misspelled field would silently
 * deny every request.
 */
const assertKnownField = (
  object: Expression,
  name: string,
  scope: Scope,
  fail: (message: string) => StorageRulesSyntaxError,
): void => {
  const isKeyword = (part: Expression, word: string) =>
    part.kind === 'name' && part.name === word && !isVariable(word, scope)
  const isRequest = isKeyword(object, 'request')
  const isResource =
    isKeyword(object, 'resource') ||
    (object.kind === 'member' && object.name === 'resource' && isKeyword(object.object, 'request'))
  const fields = isRequest ? REQUEST_FIELDS : isResource ? RESOURCE_FIELDS : null
  if (fields && !fields.includes(name)) {
    throw fail(`Unknown field '${name}' of ${isRequest ? 'request' : 'a storage resource'}`)
  }
}

const assertValidPattern = (
  { name, arguments: [argument] }: Extract<Expression, { kind: 'method' }>,
  fail: (message: string) => StorageRulesSyntaxError,
): void => {
  if (!['matches', 'replace', 'split'].includes(name)) return
  if (argument?.kind !== 'literal' || typeof argument.value !== 'string') return
  try {
    compilePattern(argument.value)
  } catch {
    throw fail(`Invalid regular expression '${argument.value}'`)
  }
}

const expectBoolean = (value: Value, at: number): boolean => {
  if (typeof value !== 'boolean') {
    throw new EvaluationError(`Expected bool, received ${getTypeName(value)}`, at)
  }
  return value
}

/**
 * Evaluates `||` (decided by true) and `&&` (decided by false). When one side decides, an error on
 * the other side is ignored; otherwise the error is the result.
 */
const evaluateLogical = (
  left: Evaluator,
  right: Evaluator,
  decisive: boolean,
  at: number,
): Evaluator => {
  return (env) => {
    let failed: EvaluationError | undefined
    try {
      if (expectBoolean(left(env), at) === decisive) return decisive
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error
      failed = error
    }
    if (expectBoolean(right(env), at) === decisive) return decisive
    if (failed) throw failed
    return !decisive
  }
}

const readMember = (object: Value, name: string): Value => {
  if (!isMap(object)) throw new CallTypeError(`${getTypeName(object)} has no field '${name}'`)
  if (!object.has(name)) throw new CallTypeError(`There is no field '${name}'`)
  return object.get(name) ?? null
}

const readElement = (object: Value, index: Value): Value => {
  if (isMap(object) && typeof index === 'string') return readMember(object, index)
  const items: readonly Value[] | null =
    object instanceof PathValue
      ? object.segments
      : isList(object)
        ? object
        : typeof object === 'string'
          ? object.split('')
          : null
  if (!items || typeof index !== 'bigint') {
    throw new CallTypeError(`${getTypeName(object)} can't be asked for [${getTypeName(index)}]`)
  }
  const item = items[Number(index)]
  if (item === undefined) throw new CallTypeError('Index out of range')
  return item
}

const readSlice = (object: Value, from: Value, to: Value): Value => {
  const sliceable = isList(object) || typeof object === 'string'
  if (!sliceable || typeof from !== 'bigint' || typeof to !== 'bigint') {
    throw new CallTypeError(`${getTypeName(object)} can't be asked for a range`)
  }
  if (from < 0n || to < from || to > BigInt(object.length))
    throw new CallTypeError('Range out of bounds')
  return object.slice(Number(from), Number(to))
}

const evaluateMatches = (
  matches: readonly CompiledMatch[],
  version: 1 | 2,
  { method, path, request, resource }: StorageRequest,
): RulesDecision => {
  const errors: { message: string; at: number }[] = []

  const allowedAt = (match: CompiledMatch, captures: readonly Value[]): boolean =>
    match.allows.some(({ at, methods, holds }) => {
      if (!methods.has(method)) return false
      try {
        return expectBoolean(holds({ request, resource, captures, locals: [] }), at)
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error
        errors.push({ message: error.message, at: error.at })
        return false
      }
    })

  const visit = (
    match: CompiledMatch,
    segmentIndex: number,
    from: number,
    captures: readonly Value[],
  ): boolean => {
    const segment = match.path[segmentIndex]
    if (!segment) {
      if (from === path.length && allowedAt(match, captures)) return true
      return match.matches.some((inner) => visit(inner, 0, from, captures))
    }
    if (segment.kind === 'many') {
      const fewest = version === 1 ? 1 : 0
      for (let end = path.length; end >= from + fewest; end--) {
        const segmentPath = new PathValue(path.slice(from, end))
        if (visit(match, segmentIndex + 1, end, [...captures, segmentPath])) return true
      }
      return false
    }
    const key = path[from]
    // A name like `a//b` has an empty segment, which no wildcard matches.
    if (key === undefined || key === '') return false
    if (segment.kind === 'literal') {
      return segment.text === key && visit(match, segmentIndex + 1, from + 1, captures)
    }
    return visit(match, segmentIndex + 1, from + 1, [...captures, key])
  }

  const permit = matches.some((match) => visit(match, 0, 0, []))
  return { permit, errors: permit ? [] : errors }
}
