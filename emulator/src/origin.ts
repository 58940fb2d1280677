import type { IncomingMessage } from 'node:http'
import { RequestError } from './requestError'

type Headers = Pick<IncomingMessage, 'headers'>

const LOCAL_ORIGIN = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/i
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i

/**
 * Returns the origin of a page from another machine, or null for local pages and for programs other
 * than browsers. A page that omits its origin, as a script tag does, still sends `Sec-Fetch-Site`,
 * and the referrer unless hidden. A page whose own name now points to this machine sends no origin,
 * but that name as the host.
 */
export const findForeignOrigin = ({ headers }: Headers): string | null => {
  const { origin, referer, host } = headers
  if (host !== undefined && !LOCAL_HOST.test(host)) return host
  if (origin !== undefined) return LOCAL_ORIGIN.test(origin) ? null : origin
  if (headers['sec-fetch-site'] !== 'cross-site') return null
  if (referer === undefined) return 'an unknown page'
  return LOCAL_ORIGIN.test(referer) ? null : referer.split('/', 3).join('/')
}

/**
 * Refuses a credential from a page of another machine. Tokens are not verified here, so any page
 * open in a developer's browser could otherwise act as `owner` or any user.
 */
export const assertLocalOrigin = (page: string | null): void => {
  if (page === null) return
  throw new RequestError(
    'permission_denied',
    `Tokens are only accepted from pages of this machine, not from ${page}. Open the page at 127.0.0.1 or localhost.`,
    403,
  )
}

/** Returns the headers that let a page of this machine read a response. Other pages get none. */
export const createCorsHeaders = (request: Headers): Record<string, string> => ({
  ...(findForeignOrigin(request) === null && {
    'Access-Control-Allow-Origin': request.headers.origin ?? '*',
    'Access-Control-Expose-Headers': 'ETag',
  }),
  Vary: 'Origin',
})
