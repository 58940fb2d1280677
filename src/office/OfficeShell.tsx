import type { ReactNode } from 'react'
import { OfficeTheme } from '~/src/ui/office/OfficeTheme'

/** The frame of the back office. */
export const OfficeShell = ({ children }: { children: ReactNode }) => (
  <OfficeTheme>
    <main>{children}</main>
  </OfficeTheme>
)
