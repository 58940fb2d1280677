const COLLECT_AFTER_MS = 500
/** A collection looks at all that is kept: it is worth that after imports of a quarter of it. */
const WORTH_OF_HEAP = 0.25

/**
 * Collects soon after large imports. Parsing one leaves its own size in garbage, which V8 would keep until the heap grows
 * again. `heapUsed` answers bytes.
 */
export const collector = (collect: () => void, heapUsed: () => number) => {
  let timer: NodeJS.Timeout | undefined
  let imported = 0
  let heapAfterwards = 0
  /** Takes the bytes of one import. */
  return (bytes: number): void => {
    imported += bytes
    if (imported < heapAfterwards * WORTH_OF_HEAP) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      collect()
      imported = 0
      heapAfterwards = heapUsed()
    }, COLLECT_AFTER_MS)
    timer.unref()
  }
}
