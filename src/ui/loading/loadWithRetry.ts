import { ChunkUnavailableError } from './chunkLoader'

/** Milliseconds between attempts to fetch a missing file. */
const RETRY_DELAY_MS = 3000

/** Callbacks that end the pause of each load that has failed so far. */
const pauses = new Set<() => void>()
let missingCount = 0
const watchers = new Set<() => void>()
const changeMissingCount = (change: number) => {
  missingCount += change
  for (const notify of watchers) notify()
}

/** Returns true when the page still lacks a file after an attempt to fetch it. */
export const isChunkMissing = (): boolean => missingCount > 0
export const subscribeToMissingChunks = (onChange: () => void): (() => void) => {
  watchers.add(onChange)
  return () => watchers.delete(onChange)
}
/** Requests every missing file at once. */
export const retryMissingChunks = (): void => {
  for (const end of pauses) end()
}

const waitForRetry = () =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      pauses.delete(end)
      resolve()
    }
    const timer = setTimeout(end, RETRY_DELAY_MS)
    pauses.add(end)
  })

/** Loads a part that the page requires; requests its files until they arrive. */
export const loadWithRetry = async <Loaded>(load: () => Promise<Loaded>): Promise<Loaded> => {
  let hasFailed = false
  try {
    for (;;)
      try {
        return await load()
      } catch (error) {
        if (!(error instanceof ChunkUnavailableError)) throw error
        if (!hasFailed) changeMissingCount(1)
        hasFailed = true
        await waitForRetry()
      }
  } finally {
    if (hasFailed) changeMissingCount(-1)
  }
}
