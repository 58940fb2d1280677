import { parseExpressionAt } from 'acorn'
import type { CallExpression, Expression, MemberExpression, Node } from 'acorn'
import { compilePattern, PatternError } from './pattern'
import { OpaqueBranch, isEqualValue } from './rulePath'
import type { RulePath } from './rulePath'
import { RuleError } from './sourceRange'
import type { SourceRange } from './sourceRange'
import { splitPath } from '../tree/path'
import type { QueryFacts } from './queryFacts'

/**
 * The data for evaluating a rule. Each request has one object, which the evaluator moves along the
 * path.
 */
export interface EvaluationContext {
  readonly auth: unknown
  readonly now: number
  readonly root: RulePath
  data: RulePath
  newData: RulePath
  readonly query: QueryFacts
  /** The keys of the path; the value of a `$variable` is one of them. */
  readonly keys: readonly string[]
}

interface ExpressionContext {
  readonly kind: 'read' | 'write' | 'validate'
  /** The name of each `$variable` in scope, with its index in the path. */
  readonly captures: ReadonlyMap<string, number>
  /** Adds a part of the expression to the coverage. */
  readonly addRange: (start: number, end: number) => SourceRange
  /** Called for each variable in the expression. */
  readonly onVariable: (name: string) => void
}

/** An expression that cannot be loaded. `index` is the position of the error in it. */
export class ExpressionSyntaxError extends Error {
  constructor(
    message: string,
    readonly index: number,
  ) {
    super(message)
    this.name = 'ExpressionError'
  }
}

// 'primitive' is the type of val(), 'any' the type of auth's fields. The actual types are known
// only at runtime.
type ExpressionType =
  'any' | 'primitive' | 'null' | 'boolean' | 'number' | 'string' | 'snapshot' | 'query'
type Evaluator<T = unknown> = (env: EvaluationContext) => T
interface TypedExpression {
  readonly type: ExpressionType
  readonly evaluate: Evaluator
}

const isDynamicType = (type: ExpressionType) => type === 'any' || type === 'primitive'
const canBe = (type: ExpressionType, ...wanted: ExpressionType[]) =>
  wanted.includes(type) || isDynamicType(type)

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

/**
 * Compiles one expression to a closure that returns its value. The closure throws a RuleError on a
 * runtime error. Throws an ExpressionSyntaxError for unknown syntax or wrong types.
 */
export const compileExpression = (text: string, context: ExpressionContext): Evaluator<boolean> => {
  const fail = (node: Node, message: string) => new ExpressionSyntaxError(message, node.start)
  const failure = (node: Node) => new RuleError(context.addRange(node.start, node.end))

  const watched = (node: Node, run: Evaluator<boolean>): TypedExpression => {
    const site = context.addRange(node.start, node.end)
    return {
      type: 'boolean',
      evaluate: (env) => {
        const result = run(env)
        if (result) site.true++
        else site.false++
        return result
      },
    }
  }

  const boolean = (node: Node, message: string): Evaluator<boolean> => {
    const { type, evaluate } = compile(node)
    if (type !== 'boolean') throw fail(node, message)
    return evaluate as Evaluator<boolean>
  }

  const number = (node: Node, operator: string): Evaluator<number> => {
    const { type, evaluate } = compile(node)
    if (!canBe(type, 'number')) throw fail(node, `${operator} needs numbers.`)
    if (type === 'number' && node.type === 'Literal') return evaluate as Evaluator<number>
    const failed = failure(node)
    return (env) => {
      const value = evaluate(env)
      if (typeof value !== 'number') throw failed
      return value
    }
  }

  const string = (node: Node, message: string): Evaluator<string> => {
    const { type, evaluate } = compile(node)
    if (!canBe(type, 'string')) throw fail(node, message)
    const failed = failure(node)
    return (env) => {
      const value = evaluate(env)
      if (typeof value !== 'string') throw failed
      return value
    }
  }

  const variable = (node: Node, name: string): TypedExpression => {
    const captured = context.captures.get(name)
    const known =
      captured !== undefined ||
      ['auth', 'now', 'root', 'data'].includes(name) ||
      (name === 'newData' && context.kind !== 'read') ||
      (name === 'query' && context.kind === 'read')
    if (!known) throw fail(node, `Unknown variable '${name}'.`)
    context.onVariable(name)
    if (captured !== undefined) return { type: 'string', evaluate: (env) => env.keys[captured] }
    switch (name) {
      case 'auth':
        return { type: 'any', evaluate: (env) => env.auth }
      case 'now':
        return { type: 'number', evaluate: (env) => env.now }
      case 'root':
        return { type: 'snapshot', evaluate: (env) => env.root }
      case 'data':
        return { type: 'snapshot', evaluate: (env) => env.data }
      case 'newData':
        return { type: 'snapshot', evaluate: (env) => env.newData }
      default:
        return { type: 'query', evaluate: (env) => env.query }
    }
  }

  const equality = (
    node: Node,
    left: TypedExpression,
    right: TypedExpression,
    negated: boolean,
  ): TypedExpression => {
    for (const { type } of [left, right]) {
      if (type === 'snapshot' || type === 'query') {
        throw fail(node, `A ${type} can't be compared; compare its values.`)
      }
    }
    return watched(node, (env) => isEqualValue(left.evaluate(env), right.evaluate(env)) !== negated)
  }

  const comparison = (
    node: Node,
    operator: string,
    left: TypedExpression,
    right: TypedExpression,
    compare: (a: number | string, b: number | string) => boolean,
  ): TypedExpression => {
    const sides = [left.type, right.type]
    if (!sides.every((type) => canBe(type, 'number', 'string', 'null'))) {
      throw fail(node, `${operator} needs two numbers or two strings.`)
    }
    if (left.type !== right.type && !sides.some(isDynamicType)) {
      throw fail(node, `${operator} needs two numbers or two strings, not one of each.`)
    }
    const failed = failure(node)
    return watched(node, (env) => {
      const a = left.evaluate(env)
      const b = right.evaluate(env)
      if (typeof a === 'number' ? typeof b === 'number' : typeof a === 'string') {
        if (typeof a === typeof b) return compare(a as number, b as number)
      }
      throw failed
    })
  }

  const addition = (node: Node, left: TypedExpression, right: TypedExpression): TypedExpression => {
    const sides = [left.type, right.type]
    if (!sides.every((type) => canBe(type, 'number', 'string'))) {
      throw fail(node, '+ needs numbers or strings.')
    }
    const failed = failure(node)
    const type = sides.includes('string')
      ? 'string'
      : sides.every((side) => side === 'number')
        ? 'number'
        : 'primitive'
    return {
      type,
      evaluate: (env) => {
        const a = left.evaluate(env)
        const b = right.evaluate(env)
        if (typeof a === 'number' && typeof b === 'number') return a + b
        if (typeof a !== 'string' && typeof a !== 'number') throw failed
        if (typeof b !== 'string' && typeof b !== 'number') throw failed
        return `${a}${b}`
      },
    }
  }

  const arithmetic = (
    operator: string,
    leftNode: Node,
    rightNode: Node,
    calculate: (a: number, b: number) => number,
  ): TypedExpression => {
    const left = number(leftNode, operator)
    const right = number(rightNode, operator)
    return { type: 'number', evaluate: (env) => calculate(left(env), right(env)) }
  }

  const binary = (node: Node, operator: string, left: Node, right: Node): TypedExpression => {
    switch (operator) {
      case '==':
      case '===':
        return equality(node, compile(left), compile(right), false)
      case '!=':
      case '!==':
        return equality(node, compile(left), compile(right), true)
      case '<':
        return comparison(node, operator, compile(left), compile(right), (a, b) => a < b)
      case '<=':
        return comparison(node, operator, compile(left), compile(right), (a, b) => a <= b)
      case '>':
        return comparison(node, operator, compile(left), compile(right), (a, b) => a > b)
      case '>=':
        return comparison(node, operator, compile(left), compile(right), (a, b) => a >= b)
      case '+':
        return addition(node, compile(left), compile(right))
      case '-':
        return arithmetic(operator, left, right, (a, b) => a - b)
      case '*':
        return arithmetic(operator, left, right, (a, b) => a * b)
      case '/':
        return arithmetic(operator, left, right, (a, b) => (b === 0 ? NaN : a / b))
      case '%':
        return arithmetic(operator, left, right, (a, b) => a % b)
      default:
        throw fail(node, `Unknown operator '${operator}'.`)
    }
  }

  const logical = (
    node: Node,
    operator: string,
    leftNode: Node,
    rightNode: Node,
  ): TypedExpression => {
    const left = boolean(leftNode, `Left operand of ${operator} must be boolean.`)
    const right = boolean(rightNode, `Right operand of ${operator} must be boolean.`)
    return operator === '&&'
      ? watched(node, (env) => left(env) && right(env))
      : watched(node, (env) => left(env) || right(env))
  }

  const conditional = (
    node: Node,
    testNode: Node,
    thenNode: Node,
    elseNode: Node,
  ): TypedExpression => {
    const test = boolean(testNode, 'The condition of ? must be boolean.')
    const whenTrue = compile(thenNode)
    const whenFalse = compile(elseNode)
    const types = [whenTrue.type, whenFalse.type]
    const same = whenTrue.type === whenFalse.type
    if (!same && (types.includes('snapshot') || types.includes('query'))) {
      throw fail(node, 'Both results of ?: must be of one kind.')
    }
    return {
      type: same ? whenTrue.type : types.includes('any') ? 'any' : 'primitive',
      evaluate: (env) => (test(env) ? whenTrue : whenFalse).evaluate(env),
    }
  }

  /** Returns a member's name when it is known at load time: `.name` or `['name']`. */
  const memberName = ({ computed, property: key }: MemberExpression): string | null => {
    if (!computed) return key.type === 'Identifier' ? key.name : null
    return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null
  }

  const member = (node: MemberExpression): TypedExpression => {
    const name = memberName(node)
    const object = compile(node.object)
    const unknown = () => fail(node.property, `No such method/property '${name ?? '[…]'}'.`)
    switch (object.type) {
      case 'query': {
        if (name === null || !isQueryFact(name)) throw unknown()
        const type = QUERY_TYPES[name]
        const run: Evaluator = (env) => env.query[name]
        return type === 'boolean'
          ? watched(node, run as Evaluator<boolean>)
          : { type, evaluate: run }
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
        const key = compile(node.property)
        if (!canBe(key.type, 'string', 'number')) throw fail(node.property, 'Invalid property.')
        const failed = failure(node.property)
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
  const pathFrom = (
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
    const path = string(argument, `${method} needs a string.`)
    return (env) => {
      const from = place(env)
      return from.descend(splitPath(path(env)))
    }
  }

  const hasChildren = (node: CallExpression, place: Evaluator<RulePath>): TypedExpression => {
    const [list] = node.arguments
    if (!list) return watched(node, (env) => place(env).view.hasChildren())
    if (node.arguments.length > 1 || list.type !== 'ArrayExpression') {
      throw fail(list, 'hasChildren takes one argument: a list of strings.')
    }
    if (list.elements.length === 0) throw fail(list, 'hasChildren needs at least one name.')
    const places = list.elements.map((element) => {
      if (!element) throw fail(list, 'hasChildren needs a list of strings.')
      return pathFrom(place, element, 'hasChildren')
    })
    // Evaluates every name first, so that an invalid one always fails.
    return watched(node, (env) => places.map((at) => at(env).view.exists).every((exists) => exists))
  }

  const snapshotCall = (
    node: CallExpression,
    name: string,
    place: Evaluator<RulePath>,
  ): TypedExpression => {
    const [argument, ...rest] = node.arguments
    if (name === 'hasChildren') return hasChildren(node, place)
    if (name === 'child' || name === 'hasChild') {
      if (!argument || rest.length > 0) throw fail(node, `${name} takes one argument.`)
      const at = pathFrom(place, argument, name)
      return name === 'child'
        ? { type: 'snapshot', evaluate: at }
        : watched(node, (env) => at(env).view.exists)
    }
    if (argument) throw fail(argument, `${name} takes no arguments.`)
    if (name === 'parent') {
      const failed = failure(node)
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
    if (!method) throw fail(node.callee, `No such method/property '${name}'.`)
    const run: Evaluator = (env) => method.call(place(env))
    return method.returns === 'boolean'
      ? watched(node, run as Evaluator<boolean>)
      : { type: method.returns, evaluate: run }
  }

  const matches = (node: CallExpression, subject: Evaluator<string>): TypedExpression => {
    const [argument] = node.arguments
    const pattern =
      argument?.type === 'Literal' && node.arguments.length === 1 ? argument.regex : undefined
    if (!argument || !pattern) throw fail(node, 'matches takes one regular expression literal.')
    try {
      const test = compilePattern(pattern.pattern, pattern.flags)
      return watched(node, (env) => test(subject(env)))
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      throw new ExpressionSyntaxError(
        `Invalid regular expression: ${error.message}`,
        argument.start + 1 + error.index,
      )
    }
  }

  const stringCall = (
    node: CallExpression,
    name: string,
    object: TypedExpression,
  ): TypedExpression => {
    const method = STRING_METHODS.get(name)
    if (!method && name !== 'matches') {
      throw fail(node.callee, `No such method/property '${name}'.`)
    }
    const failed = failure(node)
    const subject: Evaluator<string> = (env) => {
      const value = object.evaluate(env)
      if (typeof value !== 'string') throw failed
      return value
    }
    if (!method) return matches(node, subject)
    if (node.arguments.length !== method.arguments) {
      throw fail(node, `${name} takes ${method.arguments} argument(s).`)
    }
    const [first, second] = node.arguments.map((argument) =>
      string(argument, `${name} needs strings.`),
    )
    const run: Evaluator = (env) =>
      method.call(subject(env), first?.(env) ?? '', second?.(env) ?? '')
    return method.returns === 'boolean'
      ? watched(node, run as Evaluator<boolean>)
      : { type: method.returns, evaluate: run }
  }

  const call = (node: CallExpression): TypedExpression => {
    const { callee } = node
    if (callee.type !== 'MemberExpression') throw fail(callee, 'Only methods can be called.')
    const name = memberName(callee)
    if (name === null) throw fail(callee.property, 'Invalid property access.')
    const object = compile(callee.object)
    if (object.type === 'snapshot')
      return snapshotCall(node, name, object.evaluate as Evaluator<RulePath>)
    if (object.type === 'string' || isDynamicType(object.type))
      return stringCall(node, name, object)
    throw fail(callee.property, `No such method/property '${name}'.`)
  }

  const literal = (node: Node, value: unknown): TypedExpression => {
    if (value === null) return { type: 'null', evaluate: () => null }
    if (typeof value === 'boolean') return watched(node, () => value)
    if (typeof value === 'number') return { type: 'number', evaluate: () => value }
    if (typeof value === 'string') return { type: 'string', evaluate: () => value }
    throw fail(node, 'A regular expression is only allowed as the argument of matches.')
  }

  const unary = (node: Node, operator: string, argument: Node): TypedExpression => {
    if (operator === '!') {
      const run = boolean(argument, '! needs a boolean.')
      return watched(node, (env) => !run(env))
    }
    if (operator !== '-') throw fail(node, `Unknown operator '${operator}'.`)
    const run = number(argument, 'unary -')
    return { type: 'number', evaluate: (env) => -run(env) }
  }

  const compile = (any: Node): TypedExpression => {
    const node = any as Expression
    switch (node.type) {
      case 'ParenthesizedExpression':
        return compile(node.expression)
      case 'Literal':
        return literal(node, node.regex ? undefined : node.value)
      case 'Identifier':
        return variable(node, node.name)
      case 'UnaryExpression':
        return unary(node, node.operator, node.argument)
      case 'BinaryExpression':
        return binary(node, node.operator, node.left, node.right)
      case 'LogicalExpression':
        return logical(node, node.operator, node.left, node.right)
      case 'ConditionalExpression':
        return conditional(node, node.test, node.consequent, node.alternate)
      case 'MemberExpression':
        return member(node)
      case 'CallExpression':
        return call(node)
      case 'ArrayExpression':
        throw fail(node, 'A list is only allowed as the argument of hasChildren.')
      default:
        throw fail(node, `${node.type} is not part of the rules language.`)
    }
  }

  const { type, evaluate: run } = compile(parseExpression(text))
  if (type !== 'boolean') throw new ExpressionSyntaxError('A rule must be boolean.', 0)
  return run as Evaluator<boolean>
}

const parseExpression = (text: string): Expression => {
  let expression: Expression
  try {
    // Module syntax, because a script would silently read `a <!--b` as a comment.
    expression = parseExpressionAt(text, 0, {
      ecmaVersion: 2015,
      sourceType: 'module',
      preserveParens: true,
      onComment: (_block, _text, start) => {
        throw new ExpressionSyntaxError('Comments are not allowed inside an expression.', start)
      },
    })
  } catch (error) {
    if (error instanceof ExpressionSyntaxError) throw error
    if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
      const reason = error.message.replace(/ \(\d+:\d+\)$/, '')
      throw new ExpressionSyntaxError(`Parse error: ${reason}.`, error.pos)
    }
    throw error
  }
  const rest = text.slice(expression.end)
  const extra = rest.search(/\S/)
  if (extra !== -1) {
    throw new ExpressionSyntaxError(
      `Parse error: unexpected '${rest[extra]}'.`,
      expression.end + extra,
    )
  }
  return expression
}
