import { compileExpression } from './expression'
import { ExpressionSyntaxError, type EvaluationContext } from './expressionTypes'
import { createRootPath } from './rulePath'
import { createLoadError, findLineAndColumn } from './rulesLoadError'
import {
  findOffsetInString,
  parseRulesJson,
  type RulesJson,
  type RulesObject,
  type RulesString,
} from './rulesJson'
import { RuleError, type SourceRange } from './sourceRange'
import type { View } from './view'
import type { QueryFacts } from './queryFacts'

export { RulesLoadError as RulesError } from './rulesLoadError'

/**
 * The value of `auth` in rules: any JSON object, because a legacy or overridden token may have any
 * shape.
 */
export type Auth = Readonly<Record<string, unknown>>

interface ReadRequest {
  readonly path: readonly string[]
  readonly auth: Auth | null
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly root: View
  readonly query: QueryFacts
}

interface WriteRequest {
  /**
   * Every path that the write sets: one for a set, several for an update, priorities without
   * `.priority`.
   */
  readonly paths: readonly (readonly string[])[]
  readonly auth: Auth | null
  /** Milliseconds since the epoch, equal to the write's resolved server timestamps. */
  readonly now: number
  /** The tree before the write. */
  readonly root: View
  /** The tree after the whole write, with resolved server values. */
  readonly newRoot: View
}

/**
 * The number of times one expression of the rules was true, false or failed. Positions count from
 * 1.
 */
interface ExpressionCoverage {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly true: number
  readonly false: number
  readonly error: number
}

export interface CompiledRules {
  canRead(request: ReadRequest): boolean
  canWrite(request: WriteRequest): boolean
  /**
   * Returns the `.indexOn` entries at a path (`.value`, `child` or `deep/child`), or an empty list.
   */
  findIndexes(path: readonly string[]): readonly string[]
  /** True when a `.read` depends on data or time, so that live listeners need repeated checks. */
  readonly isReadDataDependent: boolean
  getCoverage(): readonly ExpressionCoverage[]
}

type CompiledCondition = (env: EvaluationContext) => boolean

interface RuleNode {
  read: CompiledCondition | null
  write: CompiledCondition | null
  validate: CompiledCondition | null
  /** True when this node or one below has a `.validate`; new data is traversed only there. */
  hasValidateBelow: boolean
  indexOn: readonly string[]
  readonly children: ReadonlyMap<string, RuleNode>
  readonly wildcard: RuleNode | null
}

/** A plain read. */
export const DEFAULT_QUERY: QueryFacts = {
  orderByKey: true,
  orderByPriority: false,
  orderByValue: false,
  orderByChild: null,
  startAt: null,
  endAt: null,
  equalTo: null,
  limitToFirst: null,
  limitToLast: null,
}

const NO_INDEXES: readonly string[] = []

const FORBIDDEN_IN_KEY = /[.#$/[\]\x00-\x1f\x7f]/ // oxlint-disable-line no-control-regex

/**
 * Compiles the text of a rules file to closures. Throws a RulesLoadError when Firebase would refuse
 * to load it.
 */
export const compileRules = (text: string): CompiledRules => {
  const { root, sites, readsTree } = compileTree(text)
  return {
    canRead: (request) => isReadAllowed(root, request),
    canWrite: (request) => isWriteAllowed(root, request),
    findIndexes: (path) => findIndexes(root, path),
    isReadDataDependent: readsTree,
    getCoverage: () => sites.map(({ rule, site }) => toCoverage(text, rule, site)),
  }
}

interface LocatedRange {
  readonly rule: RulesString
  readonly site: SourceRange
}

/** Computes lines only for a coverage request, because rules have thousands of expressions. */
const toCoverage = (text: string, rule: RulesString, site: SourceRange): ExpressionCoverage => {
  const { start, end, ...counts } = site
  const place = findLineAndColumn(text, findOffsetInString(text, rule, start))
  return { ...place, text: rule.value.slice(start, end), ...counts }
}

const compileTree = (
  text: string,
): { root: RuleNode; sites: LocatedRange[]; readsTree: boolean } => {
  const sites: LocatedRange[] = []
  let readsTree = false
  const fail = ({ at }: RulesJson, message: string) => createLoadError(text, at, message)

  const compileString = (
    rule: RulesString,
    kind: 'read' | 'write' | 'validate',
    captures: ReadonlyMap<string, number>,
  ): CompiledCondition => {
    try {
      const holds = compileExpression(rule.value, {
        kind,
        captures,
        addRange: (start, end) => {
          const site: SourceRange = { start, end, true: 0, false: 0, error: 0 }
          sites.push({ rule, site })
          return site
        },
        onVariable: (name) => {
          readsTree ||= kind === 'read' && ['root', 'data', 'now'].includes(name)
        },
      })
      return (env) => {
        try {
          return holds(env)
        } catch (error) {
          if (!(error instanceof RuleError)) throw error
          error.site.error++
          return false
        }
      }
    } catch (error) {
      if (error instanceof RangeError) throw fail(rule, 'The expression is nested too deeply.')
      if (!(error instanceof ExpressionSyntaxError)) throw error
      throw createLoadError(text, findOffsetInString(text, rule, error.index), error.message)
    }
  }

  const judge = (
    rule: RulesJson,
    kind: 'read' | 'write' | 'validate',
    captures: ReadonlyMap<string, number>,
  ): CompiledCondition => {
    if (rule.kind === 'string') return compileString(rule, kind, captures)
    if (rule.kind !== 'literal' || typeof rule.value !== 'boolean') {
      throw fail(rule, `.${kind} must be a string or a boolean.`)
    }
    const holds = rule.value
    return () => holds
  }

  const indexes = (rule: RulesJson): readonly string[] => {
    const items = rule.kind === 'array' ? rule.items : [rule]
    return items.map((item) => {
      if (item.kind !== 'string')
        throw fail(item, '.indexOn must be a string or a list of strings.')
      return item.value
    })
  }

  const node = (
    json: RulesJson,
    depth: number,
    captures: ReadonlyMap<string, number>,
  ): RuleNode => {
    if (json.kind !== 'object') throw fail(json, 'Expected an object of rules.')
    const children = new Map<string, RuleNode>()
    let wild: RuleNode | null = null
    let read: CompiledCondition | null = null
    let write: CompiledCondition | null = null
    let validate: CompiledCondition | null = null
    let indexOn = NO_INDEXES
    for (const { key, value } of json.entries) {
      const name = key.value
      if (name === '.read') read = judge(value, 'read', captures)
      else if (name === '.write') write = judge(value, 'write', captures)
      else if (name === '.validate') validate = judge(value, 'validate', captures)
      else if (name === '.indexOn') indexOn = indexes(value)
      else if (name.startsWith('.')) throw fail(key, `Unknown rule '${name}'.`)
      else if (name.startsWith('$')) {
        if (!/^\$\w+$/.test(name)) throw fail(key, `Invalid variable name '${name}'.`)
        if (wild) throw fail(key, 'Only one $variable is allowed in one place.')
        if (captures.has(name)) throw fail(key, `'${name}' is already used above.`)
        wild = node(value, depth + 1, new Map([...captures, [name, depth]]))
      } else {
        if (name === '' || FORBIDDEN_IN_KEY.test(name)) throw fail(key, `Invalid key '${name}'.`)
        children.set(name, node(value, depth + 1, captures))
      }
    }
    const below = [...children.values(), ...(wild ? [wild] : [])]
    const validates = validate !== null || below.some((child) => child.hasValidateBelow)
    return { read, write, validate, hasValidateBelow: validates, indexOn, children, wildcard: wild }
  }

  const json = parseRulesJson(text)
  return { root: node(findRulesObject(text, json), 0, new Map()), sites, readsTree }
}

const findRulesObject = (text: string, json: RulesJson): RulesObject => {
  const [entry, extra] = json.kind === 'object' ? json.entries : []
  if (entry?.key.value !== 'rules' || extra || entry.value.kind !== 'object') {
    const at = (extra ?? entry)?.key.at ?? json.at
    throw createLoadError(text, at, "Expected one top-level object, 'rules'.")
  }
  return entry.value
}

/** Returns the rules for a key: a literal child always replaces its sibling `$variable`. */
const findChildRule = (node: RuleNode, key: string): RuleNode | null =>
  node.children.get(key) ?? node.wildcard

const findIndexes = (root: RuleNode, path: readonly string[]): readonly string[] => {
  let node: RuleNode | null = root
  for (const key of path) node = node && findChildRule(node, key)
  return node?.indexOn ?? NO_INDEXES
}

const isReadAllowed = (rules: RuleNode, { path, auth, now, root, query }: ReadRequest): boolean => {
  const place = createRootPath(root)
  const env: EvaluationContext = {
    auth,
    now,
    root: place,
    data: place,
    newData: place,
    query,
    keys: path,
  }
  let node: RuleNode | null = rules
  for (let depth = 0; node; depth++) {
    if (node.read?.(env)) return true
    const key = path[depth]
    if (key === undefined) return false
    node = findChildRule(node, key)
    env.data = env.data.child(key)
  }
  return false
}

const isWriteAllowed = (rules: RuleNode, request: WriteRequest): boolean => {
  const { auth, now } = request
  const root = createRootPath(request.root)
  const newData = createRootPath(request.newRoot)
  const base = { auth, now, root, data: root, newData, query: DEFAULT_QUERY }
  return request.paths.every((path) => isPathWriteAllowed(rules, path, base))
}

const isPathWriteAllowed = (
  rules: RuleNode,
  path: readonly string[],
  base: Omit<EvaluationContext, 'keys'>,
): boolean => {
  const keys = [...path]
  const env: EvaluationContext = { ...base, keys }

  let node: RuleNode | null = rules
  let allowed = false
  let valid = true
  for (let depth = 0; node; depth++) {
    allowed ||= node.write?.(env) ?? false
    const key = path[depth]
    if (key === undefined) break
    if (node.validate && env.newData.view.exists) valid &&= node.validate(env)
    node = findChildRule(node, key)
    env.data = env.data.child(key)
    env.newData = env.newData.child(key)
  }
  if (!allowed || !valid) return false
  return !node?.hasValidateBelow || isValidBelow(node, env, keys)
}

/** Evaluates `.validate` at a place of the new data and everywhere below it. */
const isValidBelow = (node: RuleNode, env: EvaluationContext, keys: string[]): boolean => {
  const { data, newData } = env
  const { view } = newData
  if (!view.exists) return true
  if (node.validate && !node.validate(env)) return false

  const isValidChild = (key: string, child: RuleNode): boolean => {
    keys.push(key)
    env.data = data.child(key)
    env.newData = newData.child(key)
    const valid = isValidBelow(child, env, keys)
    keys.pop()
    return valid
  }
  for (const [key, child] of node.children) {
    if (child.hasValidateBelow && !isValidChild(key, child)) return false
  }
  if (!node.wildcard?.hasValidateBelow) return true
  for (const key of view.keys()) {
    if (!node.children.has(key) && !isValidChild(key, node.wildcard)) return false
  }
  return true
}
