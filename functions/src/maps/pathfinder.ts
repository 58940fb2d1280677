import type { Snap, StreetGraph } from './streetGraph'

/** A stretch of one edge, driven from one fraction of it to another. */
export interface Stretch {
  edge: number
  from: number
  to: number
}

export interface Cost {
  seconds: number
  metres: number
}

export interface Path extends Cost {
  stretches: Stretch[]
}

const SEED_WITH = -1
const SEED_AGAINST = -2

/**
 * Shortest ways by time. The labels are allocated once and stamped with the number of the search,
 * so a search touches only what it visits.
 */
export class Pathfinder {
  private readonly graph: StreetGraph
  private readonly seconds: Float32Array
  private readonly metres: Float32Array
  /** The half-edge a node was reached by, or how the search was seeded there. */
  private readonly via: Int32Array
  private readonly seen: Uint32Array
  private readonly settled: Uint32Array
  private search = 0
  private readonly heapKeys: Float32Array
  private readonly heapNodes: Uint32Array
  private heapSize = 0

  constructor(graph: StreetGraph) {
    this.graph = graph
    const { nodeCount, edgeCount } = graph
    this.seconds = new Float32Array(nodeCount)
    this.metres = new Float32Array(nodeCount)
    this.via = new Int32Array(nodeCount)
    this.seen = new Uint32Array(nodeCount)
    this.settled = new Uint32Array(nodeCount)
    // Every half-edge improves its head at most once a search, plus the seeds.
    this.heapKeys = new Float32Array(2 * edgeCount + 8)
    this.heapNodes = new Uint32Array(2 * edgeCount + 8)
  }

  private push(key: number, node: number): void {
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

  private pop(): number {
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

  private begin(): void {
    this.search++
    this.heapSize = 0
  }

  private improve(node: number, seconds: number, metres: number, via: number, rest: number): void {
    if (this.seen[node] === this.search && seconds >= this.seconds[node]!) return
    this.seen[node] = this.search
    this.seconds[node] = seconds
    this.metres[node] = metres
    this.via[node] = via
    this.push(seconds + rest, node)
  }

  /** Ways to stay on one edge; null when that is not possible in this direction. */
  private direct(start: Snap, end: Snap): Cost | null {
    const { graph } = this
    if (start.edge !== end.edge) return null
    if (graph.isOneWay(start.edge) && end.along < start.along) return null
    const part = Math.abs(end.along - start.along)
    return {
      seconds: graph.edges.seconds[start.edge]! * part,
      metres: graph.edges.metres[start.edge]! * part,
    }
  }

  /** The quickest way, by A*; null when there is none. */
  path(start: Snap, end: Snap): Path | null {
    const { graph } = this
    const { edges, x, y, head, topSpeed } = graph
    const { start: first, halves } = graph.leaving
    this.begin()
    const goal = graph.flatten(end.at)
    const rest = (node: number) => Math.hypot(x[node]! - goal.x, y[node]! - goal.y) / topSpeed
    this.seedForward(start, rest)

    const seconds = edges.seconds[end.edge]!
    const doors = [
      { node: edges.from[end.edge]!, cost: seconds * end.along, backwards: false },
      ...(graph.isOneWay(end.edge)
        ? []
        : [{ node: edges.to[end.edge]!, cost: seconds * (1 - end.along), backwards: true }]),
    ]
    const direct = this.direct(start, end)
    let best = direct?.seconds ?? Infinity
    let last: (typeof doors)[number] | null = null
    while (this.heapSize > 0 && this.heapKeys[0]! < best) {
      const node = this.pop()
      if (this.settled[node] === this.search) continue
      this.settled[node] = this.search
      const reached = this.seconds[node]!
      for (const door of doors) {
        if (door.node === node && reached + door.cost < best) {
          best = reached + door.cost
          last = door
        }
      }
      for (let k = first[node]!; k < first[node + 1]!; k++) {
        const half = halves[k]!
        const next = head[half]!
        if (this.settled[next] === this.search) continue
        const total = reached + edges.seconds[half >> 1]!
        if (this.seen[next] === this.search && total >= this.seconds[next]!) continue
        this.improve(next, total, this.metres[node]! + edges.metres[half >> 1]!, half, rest(next))
      }
    }
    if (!last) {
      if (!direct) return null
      return { ...direct, stretches: [{ edge: start.edge, from: start.along, to: end.along }] }
    }
    const part = last.backwards ? 1 - end.along : end.along
    return {
      seconds: best,
      metres: this.metres[last.node]! + edges.metres[end.edge]! * part,
      stretches: [
        ...this.stretchesTo(last.node, start),
        { edge: end.edge, from: last.backwards ? 1 : 0, to: end.along },
      ],
    }
  }

  private seedForward(start: Snap, rest: (node: number) => number): void {
    const { edges } = this.graph
    const { edge, along } = start
    const [seconds, metres] = [edges.seconds[edge]!, edges.metres[edge]!]
    const to = edges.to[edge]!
    this.improve(to, seconds * (1 - along), metres * (1 - along), SEED_WITH, rest(to))
    if (this.graph.isOneWay(edge)) return
    const from = edges.from[edge]!
    this.improve(from, seconds * along, metres * along, SEED_AGAINST, rest(from))
  }

  private stretchesTo(node: number, start: Snap): Stretch[] {
    const stretches: Stretch[] = []
    let at = node
    for (let via = this.via[at]!; via >= 0; via = this.via[at]!) {
      stretches.push(
        via & 1 ? { edge: via >> 1, from: 1, to: 0 } : { edge: via >> 1, from: 0, to: 1 },
      )
      at = this.graph.tail[via]!
    }
    const to = this.via[at] === SEED_WITH ? 1 : 0
    stretches.push({ edge: start.edge, from: start.along, to })
    return stretches.reverse()
  }

  /** Cost from one place to each of many, in one search. */
  fromOne(start: Snap, ends: readonly (Snap | null)[]): (Cost | null)[] {
    this.begin()
    this.seedForward(start, () => 0)
    return this.spread(ends, true, (end) => this.direct(start, end))
  }

  /** Cost from each of many places to one, in one search that drives the streets backwards. */
  toOne(starts: readonly (Snap | null)[], end: Snap): (Cost | null)[] {
    const { edges } = this.graph
    this.begin()
    const [seconds, metres] = [edges.seconds[end.edge]!, edges.metres[end.edge]!]
    const { along } = end
    this.improve(edges.from[end.edge]!, seconds * along, metres * along, SEED_WITH, 0)
    if (!this.graph.isOneWay(end.edge)) {
      const rest = 1 - along
      this.improve(edges.to[end.edge]!, seconds * rest, metres * rest, SEED_AGAINST, 0)
    }
    return this.spread(starts, false, (start) => this.direct(start, end))
  }

  private spread(
    places: readonly (Snap | null)[],
    forward: boolean,
    direct: (place: Snap) => Cost | null,
  ): (Cost | null)[] {
    const { graph } = this
    const { edges } = graph
    const { start: first, halves } = forward ? graph.leaving : graph.entering
    const nextOf = forward ? graph.head : graph.tail
    const found: (Cost | null)[] = places.map((place) => place && direct(place))
    const doors = new Map<number, { place: number; part: number; edge: number }[]>()
    let open = 0
    const addDoor = (node: number, place: number, part: number, edge: number) => {
      const list = doors.get(node)
      if (list) list.push({ place, part, edge })
      else doors.set(node, [{ place, part, edge }])
      open++
    }
    places.forEach((place, i) => {
      if (!place) return
      const { edge, along } = place
      // Going there one enters at the edge's start; coming from there one leaves at its end.
      addDoor(forward ? edges.from[edge]! : edges.to[edge]!, i, forward ? along : 1 - along, edge)
      if (graph.isOneWay(edge)) return
      addDoor(forward ? edges.to[edge]! : edges.from[edge]!, i, forward ? 1 - along : along, edge)
    })
    while (this.heapSize > 0 && open > 0) {
      const node = this.pop()
      if (this.settled[node] === this.search) continue
      this.settled[node] = this.search
      const reached = this.seconds[node]!
      for (const { place, part, edge } of doors.get(node) ?? []) {
        open--
        const seconds = reached + edges.seconds[edge]! * part
        const known = found[place]
        if (known && known.seconds <= seconds) continue
        found[place] = { seconds, metres: this.metres[node]! + edges.metres[edge]! * part }
      }
      for (let k = first[node]!; k < first[node + 1]!; k++) {
        const half = halves[k]!
        const next = nextOf[half]!
        if (this.settled[next] === this.search) continue
        const total = reached + edges.seconds[half >> 1]!
        if (this.seen[next] === this.search && total >= this.seconds[next]!) continue
        this.improve(next, total, this.metres[node]! + edges.metres[half >> 1]!, half, 0)
      }
    }
    return found
  }
}
