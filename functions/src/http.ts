import type { Request } from 'firebase-functions/v2/https'

export const REGION = 'us-central1'
/** Bytes a body may have; the largest honest one is a booking with 25 waypoints. */
export const MAX_BODY = 64 * 1024

/** The caller's address. The last hop is the one Google's front end added; earlier ones can be forged. */
export const ipOf = (request: Pick<Request, 'headers' | 'socket'>): string => {
  const header = request.headers['x-forwarded-for']
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  return hops.at(-1)?.trim() || (request.socket.remoteAddress ?? '')
}
