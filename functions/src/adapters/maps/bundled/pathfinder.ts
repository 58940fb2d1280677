import type { Snap, StreetGraph } from './streetGraph'
import type { Meters, Seconds } from '~/domain/language/units'

/** A part of one edge, from one fraction of it to another. */
export interface EdgeSegment {
  edge: number
  from: number
  to: number
}

export interface Cost {
  seconds: Seconds
  meters: Meters
}

export interface Path extends Cost {
  segments: EdgeSegment[]
}

/** The rest of a search for all nodes, which has no direction. */
const returnZero = (_node: number): number => 0

const SEED_FORWARD = -1
const SEED_BACKWARD = -2

/**
 * Finds the fastest routes. The labels are allocated once and stamped with the number of the
 * search, so a search touches only the nodes it visits.
 */
export class Pathfinder {
  private readonly graph: StreetGraph
  private readonly seconds: Float32Array
  private readonly meters: Float32Array
  /** The half-edge that reached a node, or the seed of the search there. */
  private readonly via: Int32Array
  private readonly seen: Uint32Array
  private readonly settled: Uint32Array
  private search = 0
  /** Returns the least seconds from a node to the end of the search. */
  private getRest = returnZero
  private readonly heapKeys: Float32Array
  private readonly heapNodes: Uint32Array
  private heapSize = 0

  constructor(graph: StreetGraph) {
    this.graph = graph
    const { nodeCount, edgeCount } = graph
    this.seconds = new Float32Array(nodeCount)
    this.meters = new Float32Array(nodeCount)
    this.via = new Int32Array(nodeCount)
    this.seen = new Uint32Array(nodeCount)
    this.settled = new Uint32Array(nodeCount)
    // Each half-edge improves its head at most once in a search, plus the seeds.
    this.heapKeys = new Float32Array(2 * edgeCount + 8)
    this.heapNodes = new Uint32Array(2 * edgeCount + 8)
  }

  private pushHeap(key: number, node: number): void {
    const { heapKeys, heapNodes } = this
    let i = this.heapSize++
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (heapKeys[parent]! <= key) break
      heapKeys[i] = heapKeys[parent]!
      heapNodes[i] = heapNodes[parent]!
      i = parent
    }
    heapKeys[i] = key
    heapNodes[i] = node
  }

  private popHeap(): number {
    const { heapKeys, heapNodes } = this
    const top = heapNodes[0]!
    const size = --this.heapSize
    const key = heapKeys[size]!
    const node = heapNodes[size]!
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= size) break
      if (child + 1 < size && heapKeys[child + 1]! < heapKeys[child]!) child++
      if (heapKeys[child]! >= key) break
      heapKeys[i] = heapKeys[child]!
      heapNodes[i] = heapNodes[child]!
      i = child
    }
    heapKeys[i] = key
    heapNodes[i] = node
    return top
  }

  private startSearch(getRest = returnZero): void {
    this.getRest = getRest
    this.search++
    this.heapSize = 0
  }

  private relaxNode(node: number, seconds: Seconds, metres: number, via: number): void {
    if (this.seen[node] === this.search && seconds >= this.seconds[node]!) return
    this.seen[node] = this.search
    this.seconds[node] = seconds
    this.meters[node] = metres
    this.via[node] = via
    this.pushHeap(seconds + this.getRest(node), node)
  }

  /** Returns the cost of staying on one edge, or null when the direction does not allow it. */
  private getCostOnEdge(start: Snap, end: Snap): Cost | null {
    const { graph } = this
    if (start.edge !== end.edge) return null
    if (graph.isOneWay(start.edge) && end.edgeFraction < start.edgeFraction) return null
    const part = Math.abs(end.edgeFraction - start.edgeFraction)
    return {
      seconds: graph.edges.seconds[start.edge]! * part,
      meters: graph.edges.metres[start.edge]! * part,
    }
  }

  /** Returns the fastest path by A*, or null when none exists. */
  findPath(start: Snap, end: Snap): Path | null {
    const { graph } = this
    const { edges, x, y, endNode, topSpeed } = graph
    const { start: first, halves } = graph.outgoing
    const goal = graph.toFlatMeters(end.position)
    this.startSearch((node) => Math.hypot(x[node]! - goal.x, y[node]! - goal.y) / topSpeed)
    this.seedFromStart(start)

    const seconds = edges.seconds[end.edge]!
    const entries = [
      { node: edges.from[end.edge]!, cost: seconds * end.edgeFraction, backwards: false },
      ...(graph.isOneWay(end.edge)
        ? []
        : [{ node: edges.to[end.edge]!, cost: seconds * (1 - end.edgeFraction), backwards: true }]),
    ]
    const direct = this.getCostOnEdge(start, end)
    let best = direct?.seconds ?? Infinity
    let last: (typeof entries)[number] | null = null
    while (this.heapSize > 0 && this.heapKeys[0]! < best) {
      const node = this.popHeap()
      if (this.settled[node] === this.search) continue
      this.settled[node] = this.search
      const reached = this.seconds[node]!
      for (const entry of entries) {
        if (entry.node === node && reached + entry.cost < best) {
          best = reached + entry.cost
          last = entry
        }
      }
      for (let k = first[node]!; k < first[node + 1]!; k++) {
        const half = halves[k]!
        const next = endNode[half]!
        if (this.settled[next] === this.search) continue
        const total = reached + edges.seconds[half >> 1]!
        if (this.seen[next] === this.search && total >= this.seconds[next]!) continue
        this.relaxNode(next, total, this.meters[node]! + edges.metres[half >> 1]!, half)
      }
    }
    if (!last) {
      if (!direct) return null
      return {
        ...direct,
        segments: [{ edge: start.edge, from: start.edgeFraction, to: end.edgeFraction }],
      }
    }
    const part = last.backwards ? 1 - end.edgeFraction : end.edgeFraction
    return {
      seconds: best,
      meters: this.meters[last.node]! + edges.metres[end.edge]! * part,
      segments: [
        ...this.buildSegments(last.node, start),
        { edge: end.edge, from: last.backwards ? 1 : 0, to: end.edgeFraction },
      ],
    }
  }

  private seedFromStart(start: Snap): void {
    const { edges } = this.graph
    const { edge, edgeFraction } = start
    const [seconds, metres] = [edges.seconds[edge]!, edges.metres[edge]!]
    const rest = 1 - edgeFraction
    this.relaxNode(edges.to[edge]!, seconds * rest, metres * rest, SEED_FORWARD)
    if (this.graph.isOneWay(edge)) return
    this.relaxNode(edges.from[edge]!, seconds * edgeFraction, metres * edgeFraction, SEED_BACKWARD)
  }

  private buildSegments(node: number, start: Snap): EdgeSegment[] {
    const stretches: EdgeSegment[] = []
    let at = node
    for (let via = this.via[at]!; via >= 0; via = this.via[at]!) {
      stretches.push(
        via & 1 ? { edge: via >> 1, from: 1, to: 0 } : { edge: via >> 1, from: 0, to: 1 },
      )
      at = this.graph.startNode[via]!
    }
    const to = this.via[at] === SEED_FORWARD ? 1 : 0
    stretches.push({ edge: start.edge, from: start.edgeFraction, to })
    return stretches.reverse()
  }

  /** Returns the costs from one place to many, in one search. */
  getCostsFromOne(start: Snap, ends: readonly (Snap | null)[]): (Cost | null)[] {
    this.startSearch()
    this.seedFromStart(start)
    return this.searchUntilAllReached(ends, true, (end) => this.getCostOnEdge(start, end))
  }

  /** Returns the costs from many places to one, in one search that follows the streets backward. */
  getCostsToOne(starts: readonly (Snap | null)[], end: Snap): (Cost | null)[] {
    const { edges } = this.graph
    this.startSearch()
    const [seconds, metres] = [edges.seconds[end.edge]!, edges.metres[end.edge]!]
    const { edgeFraction } = end
    this.relaxNode(
      edges.from[end.edge]!,
      seconds * edgeFraction,
      metres * edgeFraction,
      SEED_FORWARD,
    )
    if (!this.graph.isOneWay(end.edge)) {
      const rest = 1 - edgeFraction
      this.relaxNode(edges.to[end.edge]!, seconds * rest, metres * rest, SEED_BACKWARD)
    }
    return this.searchUntilAllReached(starts, false, (start) => this.getCostOnEdge(start, end))
  }

  private searchUntilAllReached(
    places: readonly (Snap | null)[],
    forward: boolean,
    direct: (place: Snap) => Cost | null,
  ): (Cost | null)[] {
    const { graph } = this
    const { edges } = graph
    const { start: first, halves } = forward ? graph.outgoing : graph.incoming
    const nextNode = forward ? graph.endNode : graph.startNode
    const costs: (Cost | null)[] = places.map((place) => place && direct(place))
    const entries = new Map<number, { place: number; part: number; edge: number }[]>()
    let open = 0
    const addEntry = (node: number, place: number, part: number, edge: number) => {
      const list = entries.get(node)
      if (list) list.push({ place, part, edge })
      else entries.set(node, [{ place, part, edge }])
      open++
    }
    places.forEach((place, i) => {
      if (!place) return
      const { edge, edgeFraction } = place
      // A path to a place enters at the edge's start; a path from a place leaves at the edge's end.
      addEntry(
        forward ? edges.from[edge]! : edges.to[edge]!,
        i,
        forward ? edgeFraction : 1 - edgeFraction,
        edge,
      )
      if (graph.isOneWay(edge)) return
      addEntry(
        forward ? edges.to[edge]! : edges.from[edge]!,
        i,
        forward ? 1 - edgeFraction : edgeFraction,
        edge,
      )
    })
    while (this.heapSize > 0 && open > 0) {
      const node = this.popHeap()
      if (this.settled[node] === this.search) continue
      this.settled[node] = this.search
      const reached = this.seconds[node]!
      for (const { place, part, edge } of entries.get(node) ?? []) {
        open--
        const seconds = reached + edges.seconds[edge]! * part
        const knownCost = costs[place]
        if (knownCost && knownCost.seconds <= seconds) continue
        costs[place] = { seconds, meters: this.meters[node]! + edges.metres[edge]! * part }
      }
      for (let k = first[node]!; k < first[node + 1]!; k++) {
        const half = halves[k]!
        const next = nextNode[half]!
        if (this.settled[next] === this.search) continue
        const total = reached + edges.seconds[half >> 1]!
        if (this.seen[next] === this.search && total >= this.seconds[next]!) continue
        this.relaxNode(next, total, this.meters[node]! + edges.metres[half >> 1]!, half)
      }
    }
    return costs
  }
}
