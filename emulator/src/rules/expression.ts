import { parseExpressionAt } from 'acorn'
import type { CallExpression, Expression, MemberExpression, Node } from 'acorn'
import type { QueryFacts } from './compile'
import { compilePattern, PatternError } from './pattern'
import { Branch, sameValue } from './place'
import type { Place } from './place'
import { Failure } from './site'
import type { Site } from './site'
import { splitPath } from '../tree/path'

/** What a rule is judged against; one object a request, moved along the path by the judge. */
export interface Env {
  readonly auth: unknown
  readonly now: number
  readonly root: Place
  data: Place
  newData: Place
  readonly query: QueryFacts
  /** The keys of the path; a `$variable` is one of them. */
  readonly keys: readonly string[]
}

interface ExpressionContext {
  readonly kind: 'read' | 'write' | 'validate'
  /** The name of each `$variable` in scope, with its index in the path. */
  readonly captures: ReadonlyMap<string, number>
  /** A site for a part of the expression, for coverage. */
  readonly site: (start: number, end: number) => Site
  /** Called for each variable the expression mentions. */
  readonly onVariable: (name: string) => void
}

/** An expression that cannot be loaded; `index` is where in the expression. */
export class ExpressionError extends Error {
  constructor(
    message: string,
    readonly index: number,
  ) {
    super(message)
    this.name = 'ExpressionError'
  }
}

// 'primitive' is what val() gives, 'any' what auth's fields give: both are known at runtime only.
type Type = 'any' | 'primitive' | 'null' | 'boolean' | 'number' | 'string' | 'snapshot' | 'query'
type Run<T = unknown> = (env: Env) => T
interface Typed {
  readonly type: Type
  readonly run: Run
}

const isFuzzy = (type: Type) => type === 'any' || type === 'primitive'
const maybe = (type: Type, ...wanted: Type[]) => wanted.includes(type) || isFuzzy(type)

const QUERY_TYPES: Readonly<Record<keyof QueryFacts, Type>> = {
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
  readonly returns: Type
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
  readonly returns: Type
  readonly call: (place: Place) => unknown
}
const SNAPSHOT_METHODS: ReadonlyMap<string, SnapshotMethod> = new Map([
  [
    'val',
    {
      returns: 'primitive',
      call: ({ view }) => (view.hasChildren() ? new Branch(view) : view.value()),
    },
  ],
  ['exists', { returns: 'boolean', call: ({ view }) => view.exists }],
  ['getPriority', { returns: 'any', call: ({ view }) => view.priority() }],
  ['isNumber', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'number' }],
  ['isString', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'string' }],
  ['isBoolean', { returns: 'boolean', call: ({ view }) => typeof view.value() === 'boolean' }],
])

const property = (object: unknown, key: string): unknown => {
  if (typeof object === 'string') return key === 'length' ? object.length : null
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, key)) return null
  return object instanceof Branch ? null : ((object as Record<string, unknown>)[key] ?? null)
}

/**
 * Compiles one expression to a closure that says whether it holds, and throws a Failure on a runtime
 * error. Throws an ExpressionError for whatever the rules language does not know or cannot type.
 */
export const compileExpression = (text: string, context: ExpressionContext): Run<boolean> => {
  const fail = (node: Node, message: string) => new ExpressionError(message, node.start)
  const failure = (node: Node) => new Failure(context.site(node.start, node.end))

  const watched = (node: Node, run: Run<boolean>): Typed => {
    const site = context.site(node.start, node.end)
    return {
      type: 'boolean',
      run: (env) => {
        const result = run(env)
        if (result) site.true++
        else site.false++
        return result
      },
    }
  }

  const boolean = (node: Node, message: string): Run<boolean> => {
    const { type, run } = compile(node)
    if (type !== 'boolean') throw fail(node, message)
    return run as Run<boolean>
  }

  const number = (node: Node, operator: string): Run<number> => {
    const { type, run } = compile(node)
    if (!maybe(type, 'number')) throw fail(node, `${operator} needs numbers.`)
    if (type === 'number' && node.type === 'Literal') return run as Run<number>
    const failed = failure(node)
    return (env) => {
      const value = run(env)
      if (typeof value !== 'number') throw failed
      return value
    }
  }

  const string = (node: Node, message: string): Run<string> => {
    const { type, run } = compile(node)
    if (!maybe(type, 'string')) throw fail(node, message)
    const failed = failure(node)
    return (env) => {
      const value = run(env)
      if (typeof value !== 'string') throw failed
      return value
    }
  }

  const variable = (node: Node, name: string): Typed => {
    const captured = context.captures.get(name)
    const known =
      captured !== undefined ||
      ['auth', 'now', 'root', 'data'].includes(name) ||
      (name === 'newData' && context.kind !== 'read') ||
      (name === 'query' && context.kind === 'read')
    if (!known) throw fail(node, `Unknown variable '${name}'.`)
    context.onVariable(name)
    if (captured !== undefined) return { type: 'string', run: (env) => env.keys[captured] }
    switch (name) {
      case 'auth':
        return { type: 'any', run: (env) => env.auth }
      case 'now':
        return { type: 'number', run: (env) => env.now }
      case 'root':
        return { type: 'snapshot', run: (env) => env.root }
      case 'data':
        return { type: 'snapshot', run: (env) => env.data }
      case 'newData':
        return { type: 'snapshot', run: (env) => env.newData }
      default:
        return { type: 'query', run: (env) => env.query }
    }
  }

  const equality = (node: Node, left: Typed, right: Typed, negated: boolean): Typed => {
    for (const { type } of [left, right]) {
      if (type === 'snapshot' || type === 'query') {
        throw fail(node, `A ${type} can't be compared; compare its values.`)
      }
    }
    return watched(node, (env) => sameValue(left.run(env), right.run(env)) !== negated)
  }

  const comparison = (
    node: Node,
    operator: string,
    left: Typed,
    right: Typed,
    compare: (a: number | string, b: number | string) => boolean,
  ): Typed => {
    const sides = [left.type, right.type]
    if (!sides.every((type) => maybe(type, 'number', 'string', 'null'))) {
      throw fail(node, `${operator} needs two numbers or two strings.`)
    }
    if (left.type !== right.type && !sides.some(isFuzzy)) {
      throw fail(node, `${operator} needs two numbers or two strings, not one of each.`)
    }
    const failed = failure(node)
    return watched(node, (env) => {
      const a = left.run(env)
      const b = right.run(env)
      if (typeof a === 'number' ? typeof b === 'number' : typeof a === 'string') {
        if (typeof a === typeof b) return compare(a as number, b as number)
      }
      throw failed
    })
  }

  const addition = (node: Node, left: Typed, right: Typed): Typed => {
    const sides = [left.type, right.type]
    if (!sides.every((type) => maybe(type, 'number', 'string'))) {
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
      run: (env) => {
        const a = left.run(env)
        const b = right.run(env)
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
  ): Typed => {
    const left = number(leftNode, operator)
    const right = number(rightNode, operator)
    return { type: 'number', run: (env) => calculate(left(env), right(env)) }
  }

  const binary = (node: Node, operator: string, left: Node, right: Node): Typed => {
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

  const logical = (node: Node, operator: string, leftNode: Node, rightNode: Node): Typed => {
    const left = boolean(leftNode, `Left operand of ${operator} must be boolean.`)
    const right = boolean(rightNode, `Right operand of ${operator} must be boolean.`)
    return operator === '&&'
      ? watched(node, (env) => left(env) && right(env))
      : watched(node, (env) => left(env) || right(env))
  }

  const conditional = (node: Node, testNode: Node, thenNode: Node, elseNode: Node): Typed => {
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
      run: (env) => (test(env) ? whenTrue : whenFalse).run(env),
    }
  }

  /** A member's name when it is known at upload: `.name` or `['name']`. */
  const memberName = ({ computed, property: key }: MemberExpression): string | null => {
    if (!computed) return key.type === 'Identifier' ? key.name : null
    return key.type === 'Literal' && typeof key.value === 'string' ? key.value : null
  }

  const member = (node: MemberExpression): Typed => {
    const name = memberName(node)
    const object = compile(node.object)
    const unknown = () => fail(node.property, `No such method/property '${name ?? '[…]'}'.`)
    switch (object.type) {
      case 'query': {
        if (name === null || !isQueryFact(name)) throw unknown()
        const type = QUERY_TYPES[name]
        const run: Run = (env) => env.query[name]
        return type === 'boolean' ? watched(node, run as Run<boolean>) : { type, run }
      }
      case 'string':
      case 'primitive':
        if (name !== 'length') throw unknown()
        return {
          type: object.type === 'string' ? 'number' : 'any',
          run: (env) => property(object.run(env), 'length'),
        }
      case 'any': {
        if (name !== null) return { type: 'any', run: (env) => property(object.run(env), name) }
        const key = compile(node.property)
        if (!maybe(key.type, 'string', 'number')) throw fail(node.property, 'Invalid property.')
        const failed = failure(node.property)
        return {
          type: 'any',
          run: (env) => {
            const at = key.run(env)
            if (typeof at !== 'string' && typeof at !== 'number') throw failed
            return property(object.run(env), String(at))
          },
        }
      }
      default:
        throw unknown()
    }
  }

  /** The place a path argument leads to, seen from a snapshot. */
  const pathFrom = (place: Run<Place>, argument: Node, method: string): Run<Place> => {
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

  const hasChildren = (node: CallExpression, place: Run<Place>): Typed => {
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
    // Every name is looked at before the answer, so that a bad one fails whatever the others say.
    return watched(node, (env) => places.map((at) => at(env).view.exists).every((exists) => exists))
  }

  const snapshotCall = (node: CallExpression, name: string, place: Run<Place>): Typed => {
    const [argument, ...rest] = node.arguments
    if (name === 'hasChildren') return hasChildren(node, place)
    if (name === 'child' || name === 'hasChild') {
      if (!argument || rest.length > 0) throw fail(node, `${name} takes one argument.`)
      const at = pathFrom(place, argument, name)
      return name === 'child'
        ? { type: 'snapshot', run: at }
        : watched(node, (env) => at(env).view.exists)
    }
    if (argument) throw fail(argument, `${name} takes no arguments.`)
    if (name === 'parent') {
      const failed = failure(node)
      return {
        type: 'snapshot',
        run: (env) => {
          const { parent } = place(env)
          if (!parent) throw failed
          return parent
        },
      }
    }
    const method = SNAPSHOT_METHODS.get(name)
    if (!method) throw fail(node.callee, `No such method/property '${name}'.`)
    const run: Run = (env) => method.call(place(env))
    return method.returns === 'boolean'
      ? watched(node, run as Run<boolean>)
      : { type: method.returns, run }
  }

  const matches = (node: CallExpression, subject: Run<string>): Typed => {
    const [argument] = node.arguments
    const pattern =
      argument?.type === 'Literal' && node.arguments.length === 1 ? argument.regex : undefined
    if (!argument || !pattern) throw fail(node, 'matches takes one regular expression literal.')
    try {
      const test = compilePattern(pattern.pattern, pattern.flags)
      return watched(node, (env) => test(subject(env)))
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      throw new ExpressionError(
        `Invalid regular expression: ${error.message}`,
        argument.start + 1 + error.index,
      )
    }
  }

  const stringCall = (node: CallExpression, name: string, object: Typed): Typed => {
    const method = STRING_METHODS.get(name)
    if (!method && name !== 'matches') {
      throw fail(node.callee, `No such method/property '${name}'.`)
    }
    const failed = failure(node)
    const subject: Run<string> = (env) => {
      const value = object.run(env)
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
    const run: Run = (env) => method.call(subject(env), first?.(env) ?? '', second?.(env) ?? '')
    return method.returns === 'boolean'
      ? watched(node, run as Run<boolean>)
      : { type: method.returns, run }
  }

  const call = (node: CallExpression): Typed => {
    const { callee } = node
    if (callee.type !== 'MemberExpression') throw fail(callee, 'Only methods can be called.')
    const name = memberName(callee)
    if (name === null) throw fail(callee.property, 'Invalid property access.')
    const object = compile(callee.object)
    if (object.type === 'snapshot') return snapshotCall(node, name, object.run as Run<Place>)
    if (object.type === 'string' || isFuzzy(object.type)) return stringCall(node, name, object)
    throw fail(callee.property, `No such method/property '${name}'.`)
  }

  const literal = (node: Node, value: unknown): Typed => {
    if (value === null) return { type: 'null', run: () => null }
    if (typeof value === 'boolean') return watched(node, () => value)
    if (typeof value === 'number') return { type: 'number', run: () => value }
    if (typeof value === 'string') return { type: 'string', run: () => value }
    throw fail(node, 'A regular expression is only allowed as the argument of matches.')
  }

  const unary = (node: Node, operator: string, argument: Node): Typed => {
    if (operator === '!') {
      const run = boolean(argument, '! needs a boolean.')
      return watched(node, (env) => !run(env))
    }
    if (operator !== '-') throw fail(node, `Unknown operator '${operator}'.`)
    const run = number(argument, 'unary -')
    return { type: 'number', run: (env) => -run(env) }
  }

  const compile = (any: Node): Typed => {
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

  const { type, run } = compile(parse(text))
  if (type !== 'boolean') throw new ExpressionError('A rule must be boolean.', 0)
  return run as Run<boolean>
}

const parse = (text: string): Expression => {
  let expression: Expression
  try {
    // Modules, because elsewhere `a <!--b` would silently become a comment.
    expression = parseExpressionAt(text, 0, {
      ecmaVersion: 2015,
      sourceType: 'module',
      preserveParens: true,
      onComment: (_block, _text, start) => {
        throw new ExpressionError('Comments are not allowed inside an expression.', start)
      },
    })
  } catch (error) {
    if (error instanceof ExpressionError) throw error
    if (error instanceof SyntaxError && 'pos' in error && typeof error.pos === 'number') {
      const reason = error.message.replace(/ \(\d+:\d+\)$/, '')
      throw new ExpressionError(`Parse error: ${reason}.`, error.pos)
    }
    throw error
  }
  const rest = text.slice(expression.end)
  const extra = rest.search(/\S/)
  if (extra !== -1) {
    throw new ExpressionError(`Parse error: unexpected '${rest[extra]}'.`, expression.end + extra)
  }
  return expression
}
