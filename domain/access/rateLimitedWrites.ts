import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import type { ChatMessage } from '../messages/types'
import type { TrackingPoint } from '../booking/types'

/** Minimum milliseconds between two messages of one party, by the server's clock. */
export const MIN_MESSAGE_INTERVAL_MS = 1000
/** Minimum milliseconds between two points of one track, by the points' own times. */
export const MIN_TRACK_POINT_INTERVAL_MS = 1000

/**
 * Minimum milliseconds between two pushes to one party of a chat. Their inbox always shows the
 * newest message.
 */
export const MIN_CHAT_PUSH_INTERVAL_MS = 60_000

const SERVER_TIMESTAMP: DatabaseValue = { '.sv': 'timestamp' }

/**
 * Returns the update that writes one chat message. The rules accept it only as its sender's newest,
 * which the same update must name. An update therefore carries one message, and the next one must
 * be at least `MIN_MESSAGE_INTERVAL_MS` later.
 */
export const buildMessageUpdates = (
  booking: string,
  key: string,
  message: Omit<ChatMessage, 'at'>,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.chat(booking)}/${key}`]: { ...message, at: SERVER_TIMESTAMP },
  [dbPaths.newestEntryKey('chats', booking, message.from)]: key,
})

/**
 * Returns the update that writes one track point as its driver's newest. Delayed points arrive in a
 * burst, so the rules compare the points' own times, which must be at least
 * `MIN_TRACK_POINT_INTERVAL_MS` apart.
 */
export const buildTrackPointUpdates = (
  booking: string,
  driver: string,
  key: string,
  point: Omit<TrackingPoint, 'id'>,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.tracking(booking)}/${key}`]: { ...point },
  [dbPaths.newestEntryKey('tracking', booking, driver)]: key,
})
