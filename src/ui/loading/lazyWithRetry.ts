import { type ComponentType, createElement, lazy, useEffect, useState } from 'react'
import { loadWithRetry } from './loadWithRetry'

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
