/** Makes what was written durable; see `journal/`. */
export interface Durability {
  flushed(): Promise<void>
}

/**
 * Everything that leaves the process goes through here. What one turn of the event loop produced
 * leaves together: one flush of the journal makes all its writes durable before the first of their
 * acknowledgements or pushes goes out, and each socket is written once instead of once a message.
 */
export class Outbox {
  private waiting: (() => void)[] = []
  private last: Promise<void> = Promise.resolve()

  constructor(
    private readonly durability: Durability | null,
    /** Called when the journal fails: nothing may be acknowledged any more. */
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** Runs `send` when all that was written so far is durable, in the order of the calls. */
  add(send: () => void): void {
    this.waiting.push(send)
    if (this.waiting.length === 1) setImmediate(() => this.flush())
  }

  /** Resolves when everything added so far has left. */
  async drained(): Promise<void> {
    await new Promise<void>((resolve) => this.add(resolve))
  }

  private flush(): void {
    const batch = this.waiting
    this.waiting = []
    const send = () => {
      for (const each of batch) each()
    }
    if (this.durability === null) {
      send()
      return
    }
    const durable = this.durability.flushed()
    this.last = this.last.then(() => durable).then(send, this.onFailure)
  }
}
