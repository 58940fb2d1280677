/** What makes writes durable; see `journal/`. */
export interface Durability {
  /** Resolves when all recorded so far will survive, rejects when it will not; null without a journal. */
  flushed(): Promise<void> | null
}

/** Lets something out; with `lost` true, tells that what it acknowledges could not be kept. */
type Departure = (lost: boolean) => void

/**
 * Everything that leaves the process goes through here. What one turn of the event loop produced
 * leaves together: one flush of the journal makes all its writes durable before the first of their
 * acknowledgements or pushes goes out, and each socket is written once instead of once a message.
 */
export class Outbox {
  private waiting: Departure[] = []
  private spoiled = false
  private turns = 0
  private last: Promise<void> = Promise.resolve()

  constructor(private readonly durability: Durability) {}

  /**
   * Changes when what was added so far is sealed: what comes after it may depend on writes that the
   * flush under way does not cover, and must not travel with it.
   */
  get turn(): number {
    return this.turns
  }

  /** Calls back when all that was written so far is durable, in the order of the calls. */
  add(departure: Departure): void {
    this.waiting.push(departure)
    if (this.waiting.length === 1) setImmediate(() => this.flush())
  }

  /** What waits now was made of writes that are no more: it leaves as lost, however the next flush ends. */
  spoil(): void {
    this.spoiled = this.waiting.length > 0
  }

  /** Resolves when everything added so far has left. */
  drained(): Promise<void> {
    return new Promise((resolve) => this.add(() => resolve()))
  }

  private flush(): void {
    const batch = this.waiting
    this.waiting = []
    const { spoiled } = this
    this.spoiled = false
    this.turns++
    const leave = (lost: boolean): void => {
      for (const departure of batch) departure(lost)
    }
    const durable = this.durability.flushed()
    if (durable === null) {
      leave(false)
      return
    }
    const lost = durable.then(
      () => spoiled,
      () => true,
    )
    this.last = this.last.then(async () => leave(await lost))
  }
}
