/** A store that makes writes durable; see `journal/`. */
export interface Durability {
  /**
   * Resolves when all recorded data is durable, rejects when it cannot be saved. Returns null
   * without a journal.
   */
  whenFlushed(): Promise<void> | null
}

/** Sends a message. `lost` is true when the writes it acknowledges could not be saved. */
type Delivery = (lost: boolean) => void

/**
 * The queue for all outgoing messages. Messages of one event-loop turn leave together: one flush of
 * the journal makes all their writes durable before the first acknowledgement or update is sent.
 * Each socket gets one write instead of one for each message.
 */
export class SendQueue {
  private waiting: Delivery[] = []
  private isAborted = false
  private turns = 0
  private lastDelivery: Promise<void> = Promise.resolve()

  constructor(private readonly durability: Durability) {}

  /**
   * Changes when the current batch is sealed. Later messages may depend on writes that the current
   * flush does not cover, so they must not join it.
   */
  get turnNumber(): number {
    return this.turns
  }

  /** Calls back when all earlier writes are durable, in the order of the calls. */
  add(delivery: Delivery): void {
    this.waiting.push(delivery)
    if (this.waiting.length === 1) setImmediate(() => this.flush())
  }

  /**
   * Marks the waiting messages as lost, because their writes were rolled back, whatever the result
   * of the next flush.
   */
  abort(): void {
    this.isAborted = this.waiting.length > 0
  }

  /** Resolves when everything added so far is sent. */
  whenDrained(): Promise<void> {
    return new Promise((resolve) => this.add(() => resolve()))
  }

  private flush(): void {
    const batch = this.waiting
    this.waiting = []
    const { isAborted } = this
    this.isAborted = false
    this.turns++
    const leave = (lost: boolean): void => {
      for (const delivery of batch) delivery(lost)
    }
    const durable = this.durability.whenFlushed()
    if (durable === null) {
      leave(false)
      return
    }
    const lost = durable.then(
      () => isAborted,
      () => true,
    )
    this.lastDelivery = this.lastDelivery.then(async () => leave(await lost))
  }
}
