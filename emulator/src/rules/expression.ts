import { parseExpressionAt } from 'acorn'
import type { Expression, Node } from 'acorn'
import {
  countResults,
  createSyntaxError,
  ExpressionSyntaxError,
  type Compiler,
  type Evaluator,
  type ExpressionContext,
  type TypedExpression,
} from './expressionTypes'
import { compileCall, compileMember } from './methods'
import { compileBinary, compileConditional, compileLogical, compileUnary } from './operators'

const compileVariable = ({ context }: Compiler, node: Node, name: string): TypedExpression => {
  const captured = context.captures.get(name)
  const isKnownName =
    captured !== undefined ||
    ['auth', 'now', 'root', 'data'].includes(name) ||
    (name === 'newData' && context.kind !== 'read') ||
    (name === 'query' && context.kind === 'read')
  if (!isKnownName) throw createSyntaxError(node, `Unknown variable '${name}'.`)
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

const compileLiteral = (compiler: Compiler, node: Node, value: unknown): TypedExpression => {
  if (value === null) return { type: 'null', evaluate: () => null }
  if (typeof value === 'boolean') return countResults(compiler, node, () => value)
  if (typeof value === 'number') return { type: 'number', evaluate: () => value }
  if (typeof value === 'string') return { type: 'string', evaluate: () => value }
  throw createSyntaxError(node, 'A regular expression is only allowed as the argument of matches.')
}

const compileNode = (compiler: Compiler, node: Expression): TypedExpression => {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return compiler.compile(node.expression)
    case 'Literal':
      return compileLiteral(compiler, node, node.regex ? undefined : node.value)
    case 'Identifier':
      return compileVariable(compiler, node, node.name)
    case 'UnaryExpression':
      return compileUnary(compiler, node)
    case 'BinaryExpression':
      return compileBinary(compiler, node)
    case 'LogicalExpression':
      return compileLogical(compiler, node)
    case 'ConditionalExpression':
      return compileConditional(compiler, node)
    case 'MemberExpression':
      return compileMember(compiler, node)
    case 'CallExpression':
      return compileCall(compiler, node)
    case 'ArrayExpression':
      throw createSyntaxError(node, 'A list is only allowed as the argument of hasChildren.')
    default:
      throw createSyntaxError(node, `${node.type} is not part of the rules language.`)
  }
}

/**
 * Compiles one expression to a closure that returns its value. The closure throws a RuleError on a
 * runtime error. Throws an ExpressionSyntaxError for unknown syntax or wrong types.
 */
export const compileExpression = (text: string, context: ExpressionContext): Evaluator<boolean> => {
  const compiler: Compiler = {
    context,
    compile: (node) => compileNode(compiler, node as Expression),
  }
  const { type, evaluate: run } = compiler.compile(parseExpression(text))
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
