/** A module that more than one page needs. */
export interface SharedModule {
  id: string
  /** The pages and other parts that need it, each of which loads on demand. */
  entries: ReadonlySet<string>
  /** The ids of the modules that it imports. */
  imports: readonly string[]
  /** The length of its code in characters. */
  size: number
}

/** One file of modules. */
interface Chunk {
  modules: string[]
  /** The entries that load it. */
  entries: Set<string>
  size: number
  /** The chunks that it imports, without itself. */
  imports: Set<Chunk>
}

/**
 * The cost of a further file to a page, as characters of code before minification. Of 12,000,
 * 40,000 and 120,000, pages of a rider, a driver and the office were complete first with the last
 * on a cheap phone (slow 4G, a quarter of the processor), with about the same bytes.
 */
const FILE_COST = 120_000

/** Returns the chunks that load with these. */
const reachChunks = (from: Iterable<Chunk>): Set<Chunk> => {
  const reached = new Set<Chunk>()
  const add = (chunk: Chunk) => {
    if (reached.has(chunk)) return
    reached.add(chunk)
    chunk.imports.forEach(add)
  }
  for (const chunk of from) add(chunk)
  return reached
}

/** Returns one chunk for each set of entries, so that no entry loads a module without a need. */
const splitByEntries = (modules: readonly SharedModule[]): Set<Chunk> => {
  const byEntries = new Map<string, Chunk>()
  const byModule = new Map<string, Chunk>()
  for (const { id, entries, size } of modules) {
    const key = [...entries].sort().join()
    const chunk = byEntries.get(key) ?? {
      ...{ modules: [], entries: new Set(entries), size: 0, imports: new Set<Chunk>() },
    }
    chunk.modules.push(id)
    chunk.size += size
    byEntries.set(key, chunk)
    byModule.set(id, chunk)
  }
  for (const { id, imports } of modules) {
    const chunk = byModule.get(id)
    for (const imported of imports) {
      const other = byModule.get(imported)
      if (chunk && other && other !== chunk) chunk.imports.add(other)
    }
  }
  return new Set(byEntries.values())
}

/** Returns what the entries of `from` that do not load `added` would load in addition. */
const countAdded = (from: Chunk, added: Chunk): number => {
  const others = [...from.entries].filter((entry) => !added.entries.has(entry))
  if (others.length === 0) return 0
  let sum = 0
  for (const chunk of reachChunks([added]))
    for (const entry of others) if (!chunk.entries.has(entry)) sum += chunk.size + FILE_COST
  return sum - others.length * FILE_COST
}

/** Returns how many characters of code joining two chunks saves all entries together. */
const countGain = (a: Chunk, b: Chunk): number => {
  const saved = [...a.entries].filter((entry) => b.entries.has(entry)).length * FILE_COST
  return saved === 0 ? 0 : saved - countAdded(a, b) - countAdded(b, a)
}

const join = (chunks: Set<Chunk>, into: Chunk, from: Chunk) => {
  chunks.delete(from)
  into.modules.push(...from.modules)
  into.size += from.size
  for (const entry of from.entries) into.entries.add(entry)
  for (const imported of from.imports) into.imports.add(imported)
  for (const chunk of chunks) if (chunk.imports.delete(from)) chunk.imports.add(into)
  into.imports.delete(into)
  for (const chunk of reachChunks([into]))
    for (const entry of into.entries) chunk.entries.add(entry)
}

/**
 * Returns the modules of each file. Splitting by the exact pages that need a module makes more than
 * two hundred files of a kilobyte, and a page loads a hundred of them. This joins files as long as
 * the requests that it saves cost more than the code that some pages then load without a need.
 *
 * No file imports itself through another, which would change the order in which modules run: each
 * entry that loads a file also loads its imports, so joining one between two others gains more than
 * joining the far one. It gains the same only if the same entries load all three, which then end as
 * one file.
 */
export const planChunks = (modules: readonly SharedModule[]): string[][] => {
  const chunks = splitByEntries(modules)
  for (;;) {
    let best: { a: Chunk; b: Chunk; gain: number } | undefined
    const all = [...chunks]
    for (const [at, a] of all.entries())
      for (const b of all.slice(at + 1)) {
        const gain = countGain(a, b)
        if (gain > (best?.gain ?? 0)) best = { a, b, gain }
      }
    if (!best) return [...chunks].map((chunk) => chunk.modules)
    join(chunks, best.a, best.b)
  }
}
