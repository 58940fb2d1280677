import type { Node } from 'acorn'
import type { QueryFacts } from './queryFacts'
import type { RulePath } from './rulePath'
import { RuleError, type SourceRange } from './sourceRange'

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

export interface ExpressionContext {
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
export type ExpressionType =
  'any' | 'primitive' | 'null' | 'boolean' | 'number' | 'string' | 'snapshot' | 'query'
export type Evaluator<T = unknown> = (env: EvaluationContext) => T
export interface TypedExpression {
  readonly type: ExpressionType
  readonly evaluate: Evaluator
}

export const isDynamicType = (type: ExpressionType) => type === 'any' || type === 'primitive'
export const canBe = (type: ExpressionType, ...allowedTypes: ExpressionType[]) =>
  allowedTypes.includes(type) || isDynamicType(type)

/** Compiles the parts of one expression. */
export interface Compiler {
  readonly context: ExpressionContext
  readonly compile: (node: Node) => TypedExpression
}

/** Returns the error of a part that cannot be loaded. */
export const createSyntaxError = (node: Node, message: string): ExpressionSyntaxError =>
  new ExpressionSyntaxError(message, node.start)

/** Returns the error that a part throws at runtime, and adds the part to the coverage. */
export const createRuntimeError = ({ context }: Compiler, node: Node): RuleError =>
  new RuleError(context.addRange(node.start, node.end))

/** Returns a boolean part whose results the coverage counts. */
export const countResults = (
  { context }: Compiler,
  node: Node,
  run: Evaluator<boolean>,
): TypedExpression => {
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

/** Returns a part of a type, whose results the coverage counts when they are booleans. */
export const toTyped = (
  compiler: Compiler,
  node: Node,
  type: ExpressionType,
  run: Evaluator,
): TypedExpression =>
  type === 'boolean'
    ? countResults(compiler, node, run as Evaluator<boolean>)
    : { type, evaluate: run }

export const compileBoolean = (
  compiler: Compiler,
  node: Node,
  message: string,
): Evaluator<boolean> => {
  const { type, evaluate } = compiler.compile(node)
  if (type !== 'boolean') throw createSyntaxError(node, message)
  return evaluate as Evaluator<boolean>
}

export const compileString = (
  compiler: Compiler,
  node: Node,
  message: string,
): Evaluator<string> => {
  const { type, evaluate } = compiler.compile(node)
  if (!canBe(type, 'string')) throw createSyntaxError(node, message)
  return expectString(compiler, node, evaluate)
}

/** Returns an evaluator that throws the runtime error of a part when its value is not a string. */
export const expectString = (
  compiler: Compiler,
  node: Node,
  evaluate: Evaluator,
): Evaluator<string> => {
  const failed = createRuntimeError(compiler, node)
  return (env) => {
    const value = evaluate(env)
    if (typeof value !== 'string') throw failed
    return value
  }
}
