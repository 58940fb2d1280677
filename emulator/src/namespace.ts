import type { Actor } from './auth'
import { Listens } from './listens'
import type { Listen } from './listens'
import { factsOf, needsNoIndex, select, warmIndex } from './query/query'
import type { Entry, Query } from './query/query'
import { permissionDenied, stale } from './refusal'
import { compileRules } from './rules/compile'
import type { CompiledRules } from './rules/compile'
import { hashOf } from './tree/hash'
import { Branch, LargeBranch, nodeAt } from './tree/node'
import type { Node } from './tree/node'
import type { Path } from './tree/path'
import { viewOf } from './tree/view'
import { planWrite } from './write'
import type { Plan, WriteRequest } from './write'

/** One write as it happened, for whoever keeps or reports it. */
export interface Committed extends Plan {
  readonly before: Node | null
  readonly actor: Actor
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface WriteOptions {
  /** Refuses the write unless what is at its path has this hash. */
  readonly hash?: string | undefined
  /** False for an import, which is no event anybody should react to. */
  readonly triggers?: boolean
  /** Asked with what is at the path before the write; throws to refuse. */
  readonly precondition?: (node: Node | null) => void
}

export interface NamespaceHooks {
  /** Queues a write for the journal; it is durable before anything about it leaves. May throw. */
  record(namespace: string, committed: Committed): void
  /** The same for a change of rules. */
  recordRules(namespace: string, rules: string): void
  /** Reports the write to function triggers. */
  trigger(namespace: string, committed: Committed): void
}

const WARM_DEPTH = 6

/** One isolated database: its tree, rules and listens. */
export class Namespace {
  private tree: Node | null = null
  private rules: CompiledRules | null = null
  private text: string | null = null
  private judging = false
  private readonly listens = new Listens()

  constructor(
    readonly name: string,
    private readonly hooks: NamespaceHooks,
  ) {}

  get root(): Node | null {
    return this.tree
  }

  /** The rules as they were set; null while nobody set any and everything is allowed. */
  get rulesText(): string | null {
    return this.text
  }

  coverage(): unknown {
    return this.rules?.coverage() ?? []
  }

  /** Puts recovered data and rules in place. */
  restore(root: Node | null, rules: string | null): void {
    this.tree = root
    if (rules === null) return
    this.rules = compileRules(rules)
    this.text = rules
    this.warmIndexes()
  }

  /** Replaces the rules; throws a RulesError and keeps the old ones when the text is wrong. */
  setRules(text: string): void {
    const rules = compileRules(text)
    this.hooks.recordRules(this.name, text)
    this.rules = rules
    this.text = text
    this.warmIndexes()
    this.judge([...this.listens])
  }

  /** Forgets what was done since it was as it is here. */
  takeBack({ root, rules }: { readonly root: Node | null; readonly rules: string | null }): void {
    this.tree = root
    if (rules === this.text) return
    this.rules = rules === null ? null : compileRules(rules)
    this.text = rules
  }

  mayRead(path: Path, query: Query, { admin, auth }: Actor): boolean {
    if (admin || this.rules === null) return true
    return this.rules.canRead({
      path,
      auth,
      now: Date.now(),
      root: viewOf(this.tree),
      query: factsOf(query),
    })
  }

  /** What is at a path; throws a permission refusal. */
  read(path: Path, query: Query, actor: Actor): Node | null {
    if (!this.mayRead(path, query, actor)) throw permissionDenied()
    return nodeAt(this.tree, path)
  }

  /** True when the rules name the query's index at the path, or it needs none. */
  isIndexed(path: Path, { index }: Query): boolean {
    return needsNoIndex(index) || (this.rules?.indexesAt(path) ?? []).includes(index.name)
  }

  /** The children of a path that a query selects. The caller has asked `mayRead`. */
  select(path: Path, query: Query): Entry[] {
    return select(nodeAt(this.tree, path), query, this.isIndexed(path, query))
  }

  /** Does a write or throws why not; nothing happens in between. */
  write(request: WriteRequest, actor: Actor, options: WriteOptions = {}): Committed {
    const at = Date.now()
    const before = this.tree
    const plan = planWrite(before, request, at)
    const { hash, precondition } = options
    if (hash !== undefined && hash !== hashOf(nodeAt(before, plan.base))) throw stale()
    this.authorize(plan, actor, at)
    precondition?.(nodeAt(before, plan.base))
    const committed = { ...plan, before, actor, at }
    if (plan.changes.length > 0) this.commit(committed, options.triggers !== false)
    return committed
  }

  /** Throws a permission refusal when rules forbid the write. */
  check(request: WriteRequest, actor: Actor): void {
    const now = Date.now()
    this.authorize(planWrite(this.tree, request, now), actor, now)
  }

  private authorize(plan: Plan, { admin, auth }: Actor, now: number): void {
    if (admin || this.rules === null) return
    const allowed = this.rules.canWrite({
      paths: plan.paths,
      auth,
      now,
      root: viewOf(this.tree),
      newRoot: viewOf(plan.root),
    })
    if (!allowed) throw permissionDenied()
  }

  private commit(committed: Committed, triggers: boolean): void {
    this.hooks.record(this.name, committed)
    this.tree = committed.root
    const asks = this.rules?.readsTree === true
    this.listens.notify(committed.before, committed.root, committed, (listen, push) => {
      // Whoever lost the right to read by this very write must not be told what it wrote.
      if (asks && !this.mayRead(listen.path, listen.query, listen.actor())) this.revoke(listen)
      else listen.push(push)
    })
    if (asks) this.judgeSoon()
    if (triggers) this.hooks.trigger(this.name, committed)
    if (committed.changes.some(({ after }) => after instanceof Branch)) this.warmSoon(committed)
  }

  /** Starts a listen. The caller has asked `mayRead` and sends the first value itself. */
  listen(listen: Listen): void {
    this.listens.add(listen, nodeAt(this.tree, listen.path))
  }

  unlisten(listen: Listen): void {
    this.listens.remove(listen)
  }

  /** Revokes those of some listens that the rules now forbid. */
  judge(listens: readonly Listen[]): void {
    for (const listen of listens) {
      if (!this.mayRead(listen.path, listen.query, listen.actor())) this.revoke(listen)
    }
  }

  private revoke(listen: Listen): void {
    this.listens.remove(listen)
    listen.revoke()
  }

  // A listen that a write tells nothing may lose its right all the same. That leaks nothing, so it
  // is found out once for a burst of writes instead of at each.
  private judgeSoon(): void {
    if (this.judging || this.listens.size === 0) return
    this.judging = true
    setTimeout(() => {
      this.judging = false
      this.judge([...this.listens])
    }, 20).unref()
  }

  private warmSoon({ changes }: Committed): void {
    const large = changes.some(({ after }) => {
      if (after instanceof LargeBranch) return true
      let found = false
      if (after instanceof Branch) {
        after.forEach((_, child) => {
          found ||= child instanceof LargeBranch
        })
      }
      return found
    })
    if (large) setImmediate(() => this.warmIndexes())
  }

  /** Builds the indexes the rules name over the collections that are large enough to need them. */
  private warmIndexes(): void {
    const { rules } = this
    if (rules === null) return
    const visit = (node: Node, path: Path): void => {
      if (!(node instanceof Branch)) return
      if (node instanceof LargeBranch) {
        for (const name of rules.indexesAt(path)) warmIndex(node, name)
      } else if (path.length < WARM_DEPTH) {
        node.forEach((key, child) => visit(child, [...path, key]))
      }
    }
    if (this.tree !== null) visit(this.tree, [])
  }
}
