import type { ComponentType, ReactNode } from 'react'

/** Page loaders by route; each runs when its page first opens. */
export type PageLoaders = Record<string, () => Promise<ComponentType>>

/** Loads the shell around pages: header and footer, or the side menu. */
export type ShellLoader = () => Promise<ComponentType<{ children: ReactNode }>>
