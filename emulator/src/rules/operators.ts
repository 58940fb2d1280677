import type {
  BinaryExpression,
  ConditionalExpression,
  LogicalExpression,
  Node,
  UnaryExpression,
} from 'acorn'
import {
  canBe,
  compileBoolean,
  countResults,
  createRuntimeError,
  createSyntaxError,
  isDynamicType,
  type Compiler,
  type Evaluator,
  type TypedExpression,
} from './expressionTypes'
import { isEqualValue } from './rulePath'

type CompileBinary = (compiler: Compiler, node: BinaryExpression) => TypedExpression

const compileNumber = (compiler: Compiler, node: Node, operator: string): Evaluator<number> => {
  const { type, evaluate } = compiler.compile(node)
  if (!canBe(type, 'number')) throw createSyntaxError(node, `${operator} needs numbers.`)
  if (type === 'number' && node.type === 'Literal') return evaluate as Evaluator<number>
  const failed = createRuntimeError(compiler, node)
  return (env) => {
    const value = evaluate(env)
    if (typeof value !== 'number') throw failed
    return value
  }
}

const equality =
  (isNegated: boolean): CompileBinary =>
  (compiler, node) => {
    const left = compiler.compile(node.left)
    const right = compiler.compile(node.right)
    for (const { type } of [left, right]) {
      if (type === 'snapshot' || type === 'query') {
        throw createSyntaxError(node, `A ${type} can't be compared; compare its values.`)
      }
    }
    return countResults(
      compiler,
      node,
      (env) => isEqualValue(left.evaluate(env), right.evaluate(env)) !== isNegated,
    )
  }

const comparison =
  (compare: (a: number | string, b: number | string) => boolean): CompileBinary =>
  (compiler, node) => {
    const left = compiler.compile(node.left)
    const right = compiler.compile(node.right)
    const sides = [left.type, right.type]
    if (!sides.every((type) => canBe(type, 'number', 'string', 'null'))) {
      throw createSyntaxError(node, `${node.operator} needs two numbers or two strings.`)
    }
    if (left.type !== right.type && !sides.some(isDynamicType)) {
      throw createSyntaxError(
        node,
        `${node.operator} needs two numbers or two strings, not one of each.`,
      )
    }
    const failed = createRuntimeError(compiler, node)
    return countResults(compiler, node, (env) => {
      const a = left.evaluate(env)
      const b = right.evaluate(env)
      if (typeof a === 'number' ? typeof b === 'number' : typeof a === 'string') {
        if (typeof a === typeof b) return compare(a as number, b as number)
      }
      throw failed
    })
  }

const addition: CompileBinary = (compiler, node) => {
  const left = compiler.compile(node.left)
  const right = compiler.compile(node.right)
  const sides = [left.type, right.type]
  if (!sides.every((type) => canBe(type, 'number', 'string'))) {
    throw createSyntaxError(node, '+ needs numbers or strings.')
  }
  const failed = createRuntimeError(compiler, node)
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

const arithmetic =
  (calculate: (a: number, b: number) => number): CompileBinary =>
  (compiler, node) => {
    const left = compileNumber(compiler, node.left, node.operator)
    const right = compileNumber(compiler, node.right, node.operator)
    return { type: 'number', evaluate: (env) => calculate(left(env), right(env)) }
  }

const BINARY_OPERATORS: ReadonlyMap<string, CompileBinary> = new Map([
  ['==', equality(false)],
  ['===', equality(false)],
  ['!=', equality(true)],
  ['!==', equality(true)],
  ['<', comparison((a, b) => a < b)],
  ['<=', comparison((a, b) => a <= b)],
  ['>', comparison((a, b) => a > b)],
  ['>=', comparison((a, b) => a >= b)],
  ['+', addition],
  ['-', arithmetic((a, b) => a - b)],
  ['*', arithmetic((a, b) => a * b)],
  ['/', arithmetic((a, b) => (b === 0 ? NaN : a / b))],
  ['%', arithmetic((a, b) => a % b)],
])

export const compileBinary: CompileBinary = (compiler, node) => {
  const compile = BINARY_OPERATORS.get(node.operator)
  if (!compile) throw createSyntaxError(node, `Unknown operator '${node.operator}'.`)
  return compile(compiler, node)
}

export const compileLogical = (compiler: Compiler, node: LogicalExpression): TypedExpression => {
  const { operator } = node
  const left = compileBoolean(compiler, node.left, `Left operand of ${operator} must be boolean.`)
  const right = compileBoolean(
    compiler,
    node.right,
    `Right operand of ${operator} must be boolean.`,
  )
  return operator === '&&'
    ? countResults(compiler, node, (env) => left(env) && right(env))
    : countResults(compiler, node, (env) => left(env) || right(env))
}

export const compileConditional = (
  compiler: Compiler,
  node: ConditionalExpression,
): TypedExpression => {
  const test = compileBoolean(compiler, node.test, 'The condition of ? must be boolean.')
  const whenTrue = compiler.compile(node.consequent)
  const whenFalse = compiler.compile(node.alternate)
  const types = [whenTrue.type, whenFalse.type]
  const same = whenTrue.type === whenFalse.type
  if (!same && (types.includes('snapshot') || types.includes('query'))) {
    throw createSyntaxError(node, 'Both results of ?: must be of one kind.')
  }
  return {
    type: same ? whenTrue.type : types.includes('any') ? 'any' : 'primitive',
    evaluate: (env) => (test(env) ? whenTrue : whenFalse).evaluate(env),
  }
}

export const compileUnary = (compiler: Compiler, node: UnaryExpression): TypedExpression => {
  const { operator, argument } = node
  if (operator === '!') {
    const run = compileBoolean(compiler, argument, '! needs a boolean.')
    return countResults(compiler, node, (env) => !run(env))
  }
  if (operator !== '-') throw createSyntaxError(node, `Unknown operator '${operator}'.`)
  const run = compileNumber(compiler, argument, 'unary -')
  return { type: 'number', evaluate: (env) => -run(env) }
}
