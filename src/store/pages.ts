import type { ComponentType, ReactNode } from 'react'

/** A page by its route, loaded when it is first opened. */
export type Pages = Record<string, () => Promise<ComponentType>>

/** A frame around pages: header and footer, or the side menu. */
export type Shell = () => Promise<ComponentType<{ children: ReactNode }>>
