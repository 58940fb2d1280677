const COLLECT_DELAY_MS = 500
/** A collection examines the whole heap, which pays off after imports of a quarter of it. */
const MIN_GARBAGE_SHARE = 0.25

/**
 * Schedules a collection soon after large imports. Parsing an import leaves garbage of the same
 * size, which V8 would keep until the heap grows again. `heapUsed` returns bytes.
 */
export const createGcScheduler = (collect: () => void, heapUsed: () => number) => {
  let timer: NodeJS.Timeout | undefined
  let imported = 0
  let heapAfterwards = 0
  /** Receives the number of bytes in one import. */
  return (bytes: number): void => {
    imported += bytes
    if (imported < heapAfterwards * MIN_GARBAGE_SHARE) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      collect()
      imported = 0
      heapAfterwards = heapUsed()
    }, COLLECT_DELAY_MS)
    timer.unref()
  }
}
