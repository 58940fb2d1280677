import { compileExpression, ExpressionError } from './expression'
import type { Env } from './expression'
import { rootPlace } from './place'
import type { Place } from './place'
import { errorAt, locate } from './rulesError'
import { offsetInString, parseRulesJson } from './rulesJson'
import type { RulesJson, RulesObject, RulesString } from './rulesJson'
import { Failure } from './site'
import type { Site } from './site'
import type { View } from './view'

export { RulesError } from './rulesError'

/** What rules see as `auth`; a legacy or overridden token may have any shape, so any JSON object. */
export type Auth = Readonly<Record<string, unknown>>

/** What rules see as `query`. A plain read is ordered by key, without bounds or limits. */
export interface QueryFacts {
  readonly orderByKey: boolean
  readonly orderByPriority: boolean
  readonly orderByValue: boolean
  readonly orderByChild: string | null
  readonly startAt: string | number | boolean | null
  readonly endAt: string | number | boolean | null
  readonly equalTo: string | number | boolean | null
  readonly limitToFirst: number | null
  readonly limitToLast: number | null
}

interface ReadRequest {
  readonly path: readonly string[]
  readonly auth: Auth | null
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly root: View
  readonly query: QueryFacts
}

interface WriteRequest {
  /** Every path the write sets; one for a set, several for an update, priorities without `.priority`. */
  readonly paths: readonly (readonly string[])[]
  readonly auth: Auth | null
  /** Milliseconds since the epoch; the same instant the write's server timestamps resolved to. */
  readonly now: number
  /** The tree before the write. */
  readonly root: View
  /** The tree after the whole write, server values resolved. */
  readonly newRoot: View
}

/** How often one expression of the rules came out true, false or failed; places count from 1. */
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
  /** The `.indexOn` entries at a path (`.value`, `child` or `deep/child`); empty when none. */
  indexesAt(path: readonly string[]): readonly string[]
  /** True when a `.read` depends on data or time, so that live listens must be judged again. */
  readonly readsTree: boolean
  coverage(): readonly ExpressionCoverage[]
}

type Judge = (env: Env) => boolean

interface RuleNode {
  read: Judge | null
  write: Judge | null
  validate: Judge | null
  /** True when this node or one below has a `.validate`: only there is new data walked. */
  validates: boolean
  indexOn: readonly string[]
  readonly children: ReadonlyMap<string, RuleNode>
  readonly wild: RuleNode | null
}

/** A plain read. */
export const PLAIN_QUERY: QueryFacts = {
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
const FORBIDDEN_IN_KEY = /[.#$/[\]\x00-\x1f\x7f]/ // eslint-disable-line no-control-regex

/**
 * Compiles the text of a rules file, once, to closures; throws a RulesError when Firebase would
 * refuse to load it.
 */
export const compileRules = (text: string): CompiledRules => {
  const { root, sites, readsTree } = load(text)
  return {
    canRead: (request) => canRead(root, request),
    canWrite: (request) => canWrite(root, request),
    indexesAt: (path) => indexesAt(root, path),
    readsTree,
    coverage: () => sites.map(({ rule, site }) => placed(text, rule, site)),
  }
}

interface PlacedSite {
  readonly rule: RulesString
  readonly site: Site
}

/** Lines are counted only when somebody asks: there are thousands of sites. */
const placed = (text: string, rule: RulesString, site: Site): ExpressionCoverage => {
  const { start, end, ...counts } = site
  const place = locate(text, offsetInString(text, rule, start))
  return { ...place, text: rule.value.slice(start, end), ...counts }
}

const load = (text: string): { root: RuleNode; sites: PlacedSite[]; readsTree: boolean } => {
  const sites: PlacedSite[] = []
  let readsTree = false
  const fail = ({ at }: RulesJson, message: string) => errorAt(text, at, message)

  const compileString = (
    rule: RulesString,
    kind: 'read' | 'write' | 'validate',
    captures: ReadonlyMap<string, number>,
  ): Judge => {
    try {
      const holds = compileExpression(rule.value, {
        kind,
        captures,
        site: (start, end) => {
          const site: Site = { start, end, true: 0, false: 0, error: 0 }
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
          if (!(error instanceof Failure)) throw error
          error.site.error++
          return false
        }
      }
    } catch (error) {
      if (error instanceof RangeError) throw fail(rule, 'The expression is nested too deeply.')
      if (!(error instanceof ExpressionError)) throw error
      throw errorAt(text, offsetInString(text, rule, error.index), error.message)
    }
  }

  const judge = (
    rule: RulesJson,
    kind: 'read' | 'write' | 'validate',
    captures: ReadonlyMap<string, number>,
  ): Judge => {
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
    let read: Judge | null = null
    let write: Judge | null = null
    let validate: Judge | null = null
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
    const validates = validate !== null || below.some((child) => child.validates)
    return { read, write, validate, validates, indexOn, children, wild }
  }

  const json = parseRulesJson(text)
  return { root: node(rulesOf(text, json), 0, new Map()), sites, readsTree }
}

const rulesOf = (text: string, json: RulesJson): RulesObject => {
  const [entry, extra] = json.kind === 'object' ? json.entries : []
  if (entry?.key.value !== 'rules' || extra || entry.value.kind !== 'object') {
    const at = (extra ?? entry)?.key.at ?? json.at
    throw errorAt(text, at, "Expected one top-level object, 'rules'.")
  }
  return entry.value
}

/** The rules for a key: a literal child hides the `$variable` beside it, whatever it holds. */
const ruleChild = (node: RuleNode, key: string): RuleNode | null =>
  node.children.get(key) ?? node.wild

const indexesAt = (root: RuleNode, path: readonly string[]): readonly string[] => {
  let node: RuleNode | null = root
  for (const key of path) node = node && ruleChild(node, key)
  return node?.indexOn ?? NO_INDEXES
}

const canRead = (rules: RuleNode, { path, auth, now, root, query }: ReadRequest): boolean => {
  const place = rootPlace(root)
  const env: Env = { auth, now, root: place, data: place, newData: place, query, keys: path }
  let node: RuleNode | null = rules
  for (let depth = 0; node; depth++) {
    if (node.read?.(env)) return true
    const key = path[depth]
    if (key === undefined) return false
    node = ruleChild(node, key)
    env.data = env.data.child(key)
  }
  return false
}

const canWrite = (rules: RuleNode, request: WriteRequest): boolean => {
  const root = rootPlace(request.root)
  const newRoot = rootPlace(request.newRoot)
  return request.paths.every((path) => canWritePath(rules, path, request, root, newRoot))
}

const canWritePath = (
  rules: RuleNode,
  path: readonly string[],
  { auth, now }: WriteRequest,
  root: Place,
  newRoot: Place,
): boolean => {
  const keys = [...path]
  const env: Env = { auth, now, root, data: root, newData: newRoot, query: PLAIN_QUERY, keys }

  let node: RuleNode | null = rules
  let allowed = false
  let valid = true
  for (let depth = 0; node; depth++) {
    allowed ||= node.write?.(env) ?? false
    const key = path[depth]
    if (key === undefined) break
    if (node.validate && env.newData.view.exists) valid &&= node.validate(env)
    node = ruleChild(node, key)
    env.data = env.data.child(key)
    env.newData = env.newData.child(key)
  }
  if (!allowed || !valid) return false
  return !node?.validates || isValidBelow(node, env, keys)
}

/** Judges `.validate` at a place of the new data and at everything below it. */
const isValidBelow = (node: RuleNode, env: Env, keys: string[]): boolean => {
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
    if (child.validates && !isValidChild(key, child)) return false
  }
  if (!node.wild?.validates) return true
  for (const key of view.keys()) {
    if (!node.children.has(key) && !isValidChild(key, node.wild)) return false
  }
  return true
}
