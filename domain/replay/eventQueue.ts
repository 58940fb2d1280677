interface QueuedEvent {
  at: number
  order: number
  run: () => void
}

const isBefore = (a: QueuedEvent, b: QueuedEvent) =>
  a.at < b.at || (a.at === b.at && a.order < b.order)

/**
 * A queue of events by virtual time (ms). Events of the same time run in the order in which they
 * were added, so a replay has one possible history.
 */
export const createEventQueue = () => {
  const heap: QueuedEvent[] = []
  let added = 0

  const add = (at: number, run: () => void): void => {
    const event = { at, order: added++, run }
    let i = heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      const above = heap[parent]
      if (!above || !isBefore(event, above)) break
      heap[i] = above
      i = parent
    }
    heap[i] = event
  }

  const takeFirst = (): QueuedEvent | undefined => {
    const first = heap[0]
    const last = heap.pop()
    if (!first || !last || heap.length === 0) return first
    let i = 0
    for (;;) {
      const left = heap[2 * i + 1]
      if (!left) break
      const right = heap[2 * i + 2]
      const isRight = right !== undefined && isBefore(right, left)
      const child = isRight ? right : left
      if (!isBefore(child, last)) break
      heap[i] = child
      i = 2 * i + (isRight ? 2 : 1)
    }
    heap[i] = last
    return first
  }

  return { add, takeFirst }
}
export type EventQueue = ReturnType<typeof createEventQueue>
