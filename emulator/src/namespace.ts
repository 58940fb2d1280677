import type { Actor } from './auth'
import { ListenerRegistry } from './listeners'
import type { Listener } from './listeners'
import { toQueryFacts, isBuiltInIndex, selectEntries, prebuildIndex } from './query/query'
import type { Entry, Query } from './query/query'
import { permissionDeniedError, staleDataError } from './requestError'
import { compileRules } from './rules/compiler'
import type { CompiledRules } from './rules/compiler'
import { hashNode } from './tree/nodeHash'
import { Branch, LargeBranch, getNodeAt } from './tree/node'
import type { Node } from './tree/node'
import type { Path } from './tree/path'
import { createView } from './tree/nodeView'
import { planWrite } from './writePlan'
import type { WritePlan, WriteRequest } from './writePlan'

/** A committed write, for the journal and for reports. */
export interface CommittedWrite extends WritePlan {
  readonly before: Node | null
  readonly actor: Actor
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface WriteOptions {
  /** Refuses the write unless the value at its path has this hash. */
  readonly hash?: string | undefined
  /** False for an import, which must not run function triggers. */
  readonly shouldTrigger?: boolean
  /** Called with the current value at the path before the write; throws to refuse it. */
  readonly checkPrecondition?: (node: Node | null) => void
}

export interface NamespaceHooks {
  /**
   * Queues a write for the journal, which makes it durable before any message about it is sent. May
   * throw.
   */
  recordWrite(namespace: string, committed: CommittedWrite): void
  /** Does the same for a change of rules. */
  recordRules(namespace: string, rules: string): void
  /** Reports the write to function triggers. */
  deliverTriggers(namespace: string, committed: CommittedWrite): void
}

/** The surroundings of a database. */
interface NamespaceEnvironment {
  /** Returns the time in ms since 1970. */
  readonly now: () => number
  /** Runs a check of all listeners soon. One run covers all writes before it. */
  readonly defer: (run: () => void) => void
}

const MAX_INDEXING_DEPTH = 6
const REVOCATION_DELAY_MS = 20

const SERVER_ENVIRONMENT: NamespaceEnvironment = {
  now: Date.now,
  defer: (run) => void setTimeout(run, REVOCATION_DELAY_MS).unref(),
}

/** One isolated database: its tree, rules and listeners. */
export class Namespace {
  private tree: Node | null = null
  private rules: CompiledRules | null = null
  private rulesSource: string | null = null
  private isRevocationScheduled = false
  private readonly listeners = new ListenerRegistry()

  constructor(
    readonly name: string,
    private readonly hooks: NamespaceHooks,
    private readonly environment: NamespaceEnvironment = SERVER_ENVIRONMENT,
  ) {}

  get root(): Node | null {
    return this.tree
  }

  /**
   * Returns the source text of the rules, or null when no rules are set and everything is allowed.
   */
  get rulesText(): string | null {
    return this.rulesSource
  }

  coverage(): unknown {
    return this.rules?.getCoverage() ?? []
  }

  /** Installs recovered data and rules. */
  restore(root: Node | null, rules: string | null): void {
    this.tree = root
    if (rules === null) return
    this.rules = compileRules(rules)
    this.rulesSource = rules
    this.buildIndexes()
  }

  /**
   * Replaces the rules. Throws a RulesLoadError and keeps the old rules when the text is invalid.
   * `rules` avoids compiling a text again.
   */
  setRules(text: string, rules: CompiledRules = compileRules(text)): void {
    this.hooks.recordRules(this.name, text)
    this.rules = rules
    this.rulesSource = text
    this.buildIndexes()
    this.revokeForbidden([...this.listeners])
  }

  /** Returns to an earlier state of the data and rules. */
  rollback({ root, rules }: { readonly root: Node | null; readonly rules: string | null }): void {
    this.tree = root
    if (rules === this.rulesSource) return
    this.rules = rules === null ? null : compileRules(rules)
    this.rulesSource = rules
  }

  canRead(path: Path, query: Query, { admin, auth }: Actor): boolean {
    if (admin || this.rules === null) return true
    return this.rules.canRead({
      path,
      auth,
      now: this.environment.now(),
      root: createView(this.tree),
      query: toQueryFacts(query),
    })
  }

  /** Returns the value at a path. Throws a permission error when the rules forbid it. */
  read(path: Path, query: Query, actor: Actor): Node | null {
    if (!this.canRead(path, query, actor)) throw permissionDeniedError()
    return getNodeAt(this.tree, path)
  }

  /** Returns true when the query needs no index, or the rules define its index at the path. */
  isIndexed(path: Path, { index }: Query): boolean {
    return isBuiltInIndex(index) || (this.rules?.findIndexes(path) ?? []).includes(index.name)
  }

  /**
   * Returns the children of a path that a query selects. The caller has already checked `canRead`.
   */
  select(path: Path, query: Query): Entry[] {
    return selectEntries(getNodeAt(this.tree, path), query, this.isIndexed(path, query))
  }

  /** Performs a write atomically, or throws the reason it is refused. */
  write(request: WriteRequest, actor: Actor, options: WriteOptions = {}): CommittedWrite {
    const at = this.environment.now()
    const before = this.tree
    const plan = planWrite(before, request, at)
    const { hash, checkPrecondition } = options
    if (hash !== undefined && hash !== hashNode(getNodeAt(before, plan.base)))
      throw staleDataError()
    this.authorize(plan, actor, at)
    checkPrecondition?.(getNodeAt(before, plan.base))
    const committed = { ...plan, before, actor, at }
    if (plan.changes.length > 0) this.commit(committed, options.shouldTrigger !== false)
    return committed
  }

  /** Throws a permission error when the rules forbid the write. */
  assertWriteAllowed(request: WriteRequest, actor: Actor): void {
    const now = this.environment.now()
    this.authorize(planWrite(this.tree, request, now), actor, now)
  }

  /** Returns the paths of a write that the rules forbid. */
  listForbiddenPaths(request: WriteRequest, actor: Actor): Path[] {
    const now = this.environment.now()
    const plan = planWrite(this.tree, request, now)
    return plan.paths.filter((path) => !this.isWriteAllowed({ ...plan, paths: [path] }, actor, now))
  }

  private authorize(plan: WritePlan, actor: Actor, now: number): void {
    if (!this.isWriteAllowed(plan, actor, now)) throw permissionDeniedError()
  }

  private isWriteAllowed(
    { paths, root }: Pick<WritePlan, 'paths' | 'root'>,
    { admin, auth }: Actor,
    now: number,
  ): boolean {
    if (admin || this.rules === null) return true
    return this.rules.canWrite({
      paths,
      auth,
      now,
      root: createView(this.tree),
      newRoot: createView(root),
    })
  }

  private commit(committed: CommittedWrite, triggers: boolean): void {
    this.hooks.recordWrite(this.name, committed)
    this.tree = committed.root
    const asks = this.rules?.isReadDataDependent === true
    this.listeners.notify(committed.before, committed.root, committed, (addListener, push) => {
      // A listener that loses its read permission through this write must not receive the new
      // values.
      if (asks && !this.canRead(addListener.path, addListener.query, addListener.getActor()))
        this.revoke(addListener)
      else addListener.sendUpdate(push)
    })
    if (asks) this.scheduleRevocation()
    if (triggers) this.hooks.deliverTriggers(this.name, committed)
    if (committed.changes.some(({ after }) => after instanceof Branch))
      this.scheduleIndexing(committed)
  }

  /** Starts a listener. The caller has already checked `canRead` and sends the first value. */
  listen(listen: Listener): void {
    this.listeners.add(listen, getNodeAt(this.tree, listen.path))
  }

  removeListener(listen: Listener): void {
    this.listeners.remove(listen)
  }

  /** Revokes the given listeners that the rules now forbid. */
  revokeForbidden(listens: readonly Listener[]): void {
    for (const listen of listens) {
      if (!this.canRead(listen.path, listen.query, listen.getActor())) this.revoke(listen)
    }
  }

  private revoke(listen: Listener): void {
    this.listeners.remove(listen)
    listen.onRevoked()
  }

  // A write can remove the permission of a listener that it does not update. This leaks nothing, so
  // one check covers a burst of writes.
  private scheduleRevocation(): void {
    if (this.isRevocationScheduled || this.listeners.size === 0) return
    this.isRevocationScheduled = true
    this.environment.defer(() => {
      this.isRevocationScheduled = false
      this.revokeForbidden([...this.listeners])
    })
  }

  private scheduleIndexing({ changes }: CommittedWrite): void {
    const large = changes.some(({ after }) => {
      if (after instanceof LargeBranch) return true
      let hasLargeChild = false
      if (after instanceof Branch) {
        after.forEach((_, child) => {
          hasLargeChild ||= child instanceof LargeBranch
        })
      }
      return hasLargeChild
    })
    if (large) setImmediate(() => this.buildIndexes())
  }

  /** Builds the indexes that the rules define for large collections. */
  private buildIndexes(): void {
    const { rules } = this
    if (rules === null) return
    const visit = (node: Node, path: Path): void => {
      if (!(node instanceof Branch)) return
      if (node instanceof LargeBranch) {
        for (const name of rules.findIndexes(path)) prebuildIndex(node, name)
      } else if (path.length < MAX_INDEXING_DEPTH) {
        node.forEach((key, child) => visit(child, [...path, key]))
      }
    }
    if (this.tree !== null) visit(this.tree, [])
  }
}
