import type { ReactNode } from 'react'

/** The frame of the driver's screens. */
export const TripShell = ({ children }: { children: ReactNode }) => <main>{children}</main>
