interface SharedRead {
  running: Promise<unknown>
  /** The next read, which begins when the running one ends. */
  next?: Promise<unknown>
}

/**
 * Lets concurrent calls of one process share the reads of a place. A call joins only a read that
 * begins after the call asked for it, so its value is never older than the call itself. Callers
 * share the value and must not change it.
 */
export const createSharedReads = () => {
  const reads = new Map<string, SharedRead>()
  const start = <T>(path: string, send: () => Promise<T>): Promise<T> => {
    const running = send()
    const shared: SharedRead = { running }
    reads.set(path, shared)
    const end = () => {
      // Without a waiting call, the place is forgotten.
      if (reads.get(path) === shared && !shared.next) reads.delete(path)
    }
    running.then(end, end)
    return running
  }
  return <T>(path: string, send: () => Promise<T>): Promise<T> => {
    const shared = reads.get(path)
    if (!shared) return start(path, send)
    const begin = () => start(path, send)
    shared.next ??= shared.running.then(begin, begin)
    return shared.next as Promise<T>
  }
}
