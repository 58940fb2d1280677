/** A telephone call that rings in the office. An answered one has no number. */
export interface OfficeCall {
  number?: string
  /** The extension that rings. */
  extension?: string
  /** The times, ms, at which the call came in and from which no screen shows it. */
  at: number
  expires: number
  revision: number
}

/** A change in the back office and its author; append-only. */
export interface AuditEntry {
  by: string
  at: number
  /** Examples: 'booking_cancel', 'settings_update'. */
  action: string
  path: string
  from?: unknown
  to?: unknown
}
