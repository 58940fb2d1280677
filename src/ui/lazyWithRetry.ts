import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
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

/** Code in a separate file. */
interface Loadable {
  /** Loads the file before the component renders. Rejects when it does not arrive. */
  load: () => Promise<unknown>
  /** Starts to load the file, if it can be fetched now. Rendering the component retries. */
  preload: () => void
  isLoaded: () => boolean
}
/** A component from a separate file. */
export type LazyComponent<Props extends object = object> = ComponentType<Props> & Loadable

/**
 * Makes a component from a separate file. Its fallback stays until that file loads. Once it has
 * loaded, the component renders at once: React keeps a fallback that it has shown for 300 ms.
 */
export const lazyWithRetry = <Props extends object>(
  fetchComponent: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> => {
  let loaded: ComponentType<Props> | undefined
  const load = async () => (loaded = await fetchComponent())
  const Lazy = lazy(async () => ({ default: await loadWithRetry(load) }))
  const Part = (props: Props) => {
    // A change of the component would lose its state.
    const [Component] = useState(() => loaded ?? Lazy)
    return createElement(Component, props)
  }
  return Object.assign(Part, {
    load,
    preload: () => void load().catch(() => undefined),
    isLoaded: () => loaded !== undefined,
  })
}

/**
 * Loads a part, and returns true as soon as it can render without its fallback. Returns true too
 * when the file did not arrive, because rendering the part retries or reports the error.
 */
export const useIsLoaded = (part: Loadable | null): boolean => {
  const [settled, setSettled] = useState<Loadable | null>(null)
  useEffect(() => {
    if (!part || part.isLoaded()) return
    let isCurrent = true
    const settle = () => {
      // A component is a function, which `setSettled` would call.
      if (isCurrent) setSettled(() => part)
    }
    part.load().then(settle, settle)
    return () => {
      isCurrent = false
    }
  }, [part])
  return !part || settled === part || part.isLoaded()
}
