import type { ReactNode } from 'react'

/** Header and footer of the public site and the rider's screens. */
export const SiteShell = ({ children }: { children: ReactNode }) => (
  <main id="content">{children}</main>
)
