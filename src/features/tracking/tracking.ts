import * as v from 'valibot'
import { STATUSES, type Status, type TrackingPoint } from '~/domain/entities'
import { at } from '~/domain/paths'
import { liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { rowOf } from '~/src/store/rows'

const row = rowOf<TrackingPoint>({
  at: v.number(),
  status: v.picklist(STATUSES),
  lat: v.number(),
  lng: v.number(),
})

/** The last tracking record of a booking: one row, or none. */
export const lastPosition = liveSlice('locationdata', 'coords', {
  at: (booking: string | null) =>
    booking ? { path: at.tracking(booking), orderBy: 'key', limitToLast: 1 } : null,
  row,
})

/** The last of a long way; what is charged is measured along the whole, by the functions. */
const LONGEST_WAY = 1000

/** The way the car came, oldest first. */
export const trail = liveSlice('trackingtrail', 'trail', {
  at: (booking: string | null) =>
    booking ? { path: at.tracking(booking), orderBy: 'key', limitToLast: LONGEST_WAY } : null,
  row,
  order: (a, b) => a.at - b.at,
})

/**
 * The driver adds a point of his way; between two stages only he writes here. The key is made beforehand, so that
 * a point sent twice is still one; `at` is the device's own time (ms), which may lie behind while it was offline.
 */
export const addTrackingPoint = operation<{
  booking_id: string
  key: string
  point: Pick<TrackingPoint, 'at' | 'lat' | 'lng'> & { status: Status }
  quiet?: boolean
}>('locationdata/addTrackingPoint', ({ booking_id, key, point }, { database }) =>
  database.update({ [`${at.tracking(booking_id)}/${key}`]: { ...point } }),
)
