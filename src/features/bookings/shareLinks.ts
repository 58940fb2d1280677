import type { EndpointOutput } from '~/domain/api/api'
import { domainError } from '~/domain/api/errors'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { readPreference, savePreference } from '~/src/ui/preferences'
import type { Hours } from '~/domain/language/units'

export type ShareLevel = 'status' | 'live'
/** A public link to one booking, stored by its creator, because the server does not list links. */
export interface ShareLink {
  token: string
  level: ShareLevel
  /** Expiry time in ms. */
  expires: number
}
/** The data that a shared link shows to anyone who has it. */
export type SharedBooking = EndpointOutput<'track'>

/** Creates a public link to a booking that expires after `hours`. */
export const shareBooking = createServiceThunk<
  { booking_id: string; level: ShareLevel; hours: Hours },
  ShareLink
>('bookingdata/share', async (input, { functions }) => {
  const link = await functions.call('share_booking', input)
  if (!('expires' in link)) throw domainError('event_not_possible')
  return { ...link, level: input.level }
})

/** Revokes a link. */
export const revokeShareLink = createServiceThunk<{
  booking_id: string
  revoke: string
}>('bookingdata/revokeShare', async (input, { functions }) => {
  await functions.call('share_booking', input)
})

/** Returns what a link shows now; refuses with not_found when it is unknown, expired or revoked. */
export const fetchSharedBooking = createServiceThunk<{ token: string }, SharedBooking>(
  'bookingdata/fetchShared',
  ({ token }, { functions }) => functions.get('track', { token }),
)

const LINKS_KEY = 'kerbside.shares'
const loadAllLinks = (): Record<string, ShareLink[]> => {
  try {
    return JSON.parse(readPreference(LINKS_KEY) ?? '{}') as Record<string, ShareLink[]>
  } catch {
    return {}
  }
}
/** Returns the unexpired links created on this device. */
export const loadShareLinks = (booking: string): ShareLink[] =>
  (loadAllLinks()[booking] ?? []).filter(({ expires }) => expires > Date.now())

/** Returns the links plus this one, which replaces an older entry of the same link. */
export const addShareLink = (links: ShareLink[], link: ShareLink): ShareLink[] => [
  ...links.filter(({ token }) => token !== link.token),
  link,
]

export const saveShareLinks = (booking: string, links: ShareLink[]) => {
  const others = Object.entries(loadAllLinks()).filter(([id]) => id !== booking)
  const entries = links.length > 0 ? [...others, [booking, links]] : others
  savePreference(LINKS_KEY, JSON.stringify(Object.fromEntries(entries)))
}
