import type { Request } from 'firebase-functions/v2/https'

/**
 * Maximum number of bytes in a body. The largest legitimate body is a booking with 25 waypoints.
 */
export const MAX_BODY_BYTES = 64 * 1024

type ForwardedRequest = Pick<Request, 'headers' | 'socket'>

/** Returns the addresses of the X-Forwarded-For header, the nearest hop last. */
export const getForwardedHops = ({ headers }: Pick<Request, 'headers'>): string[] => {
  const header = headers['x-forwarded-for']
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '')
}

/**
 * Returns the caller's address. Google's front end appends it to the header, and each of the
 * `proxyCount` proxies between that front end and the function appends its own. Clients can forge
 * everything before these. A request with fewer hops bypassed the proxies, so its nearest hop
 * counts, which its sender cannot choose either.
 */
export const getClientIp = (
  request: ForwardedRequest,
  proxyCount = Number(process.env.KERBSIDE_PROXY_COUNT || 0),
): string => {
  const hops = getForwardedHops(request)
  return hops.at(-1 - proxyCount) ?? hops.at(-1) ?? request.socket.remoteAddress ?? ''
}
