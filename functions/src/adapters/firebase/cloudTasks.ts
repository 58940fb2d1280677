import { getFunctions } from 'firebase-admin/functions'
import { DEFAULT_REGION } from '../../deploymentValues'
import { getFirebaseApp } from './firebaseDatabase'
import type { TaskPort } from '../../ports/tasks'

/** The deployed name of the function that the queue calls. */
const region = process.env.KERBSIDE_REGION || DEFAULT_REGION
const DUE_BOOKINGS_QUEUE = `locations/${region}/functions/sweep_pass`

const isKnownTask = (error: unknown) =>
  error instanceof Error && Reflect.get(error, 'code') === 'functions/task-already-exists'

/** Schedules tasks in Google Cloud Tasks, which waits without a process of ours. */
export const cloudTasks: TaskPort = {
  async scheduleDueBookings(id, seconds) {
    try {
      await getFunctions(getFirebaseApp())
        .taskQueue(DUE_BOOKINGS_QUEUE)
        .enqueue({}, { id, scheduleDelaySeconds: seconds })
    } catch (error) {
      if (!isKnownTask(error)) throw error
    }
  },
}
