import { type ComponentType, useState } from 'react'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'

const loaders = new Map<unknown, () => Promise<unknown>>()

/**
 * Makes a component from a separate file, for `prefetch`. Once the file has loaded, it renders at
 * once: a lazy component would show its fallback first, which React then keeps for 300 ms.
 */
export const makePrefetchable = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> => {
  let loaded: ComponentType<Props> | undefined
  const loadAndKeep = async () => (loaded = await load())
  const LazyPart = lazyWithRetry(loadAndKeep)
  const Part = (props: Props) => {
    // A change of the component would lose its state.
    const [Component] = useState(() => loaded ?? LazyPart)
    return <Component {...props} />
  }
  loaders.set(Part, loadAndKeep)
  return Part
}

/** Starts to load a part before it renders; a failed load is retried on render. */
export const prefetch = (part: unknown): void => {
  loaders
    .get(part)?.()
    .catch(() => undefined)
}
