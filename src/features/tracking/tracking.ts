import * as v from 'valibot'
import { buildTrackPointUpdates } from '~/domain/access/rateLimitedWrites'
import { dbPaths } from '~/domain/data/databasePaths'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { STATUSES, type Status, type TrackingPoint } from '~/domain/booking/types'

const trackingPointSchema = createRowSchema<TrackingPoint>({
  at: v.number(),
  status: v.picklist(STATUSES),
  lat: v.number(),
  lng: v.number(),
})

/** Milliseconds after which a position is too old for a time of arrival without a remark. */
export const OLD_POSITION_MS = 2 * 60_000

/** The last track point of a booking: one row or none. */
export const lastPosition = createLiveSlice('locationdata', 'coords', {
  toQuery: (booking: string | null) =>
    booking ? { path: dbPaths.tracking(booking), orderBy: 'key', limitToLast: 1 } : null,
  schema: trackingPointSchema,
})

/**
 * Maximum number of track points shown, the latest ones; the functions measure the whole track for
 * the fare.
 */
const MAX_TRACK_POINTS = 1000

/** The track of a booking, oldest point first. */
export const liveTrack = createLiveSlice('trackingtrail', 'trail', {
  toQuery: (booking: string | null) =>
    booking
      ? { path: dbPaths.tracking(booking), orderBy: 'key', limitToLast: MAX_TRACK_POINTS }
      : null,
  schema: trackingPointSchema,
  order: (a, b) => a.at - b.at,
})

/** Returns the part of a track driven with the rider on board. */
export const getDrivenPart = <Point extends Pick<TrackingPoint, 'status'>>(
  track: readonly Point[],
): Point[] => track.filter(({ status }) => status === 'STARTED' || status === 'REACHED')

/**
 * Adds a point to the track; between two events only the driver writes here. The key is created in
 * advance, so that a repeat writes the same point. `at` is the device's own time (ms), which can be
 * old after an offline period.
 */
export const addTrackingPoint = createServiceThunk<{
  booking_id: string
  /** The signed-in driver. */
  uid: string
  key: string
  point: Pick<TrackingPoint, 'at' | 'lat' | 'lng'> & { status: Status }
}>('locationdata/addTrackingPoint', ({ booking_id, uid, key, point }, { database }) =>
  database.update(buildTrackPointUpdates(booking_id, uid, key, point)),
)
