import type { Seconds } from '~/domain/language/units'

/** Work that runs later, outside the call that asks for it. */
export interface TaskPort {
  /**
   * Runs maintenance of due bookings once after `seconds`. A repeat with the same id changes
   * nothing. Rejects when the queue cannot be reached.
   */
  scheduleDueBookings(id: string, seconds: Seconds): Promise<void>
}

/** Local mode has no queue. A timer runs the maintenance instead (scripts/maintenanceTimer). */
export const noTasks: TaskPort = { scheduleDueBookings: () => Promise.resolve() }
