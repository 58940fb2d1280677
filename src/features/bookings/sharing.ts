import type { LatLng, Place, Status } from '~/domain/entities'
import { operation } from '~/src/store/operation'
import { remember } from '~/src/ui/remember'

export type ShareLevel = 'status' | 'live'
/** A public link to one booking, as its maker keeps it: the server tells nobody which links there are. */
export interface SharedLink {
  token: string
  level: ShareLevel
  /** ms */
  expires: number
}
/** What a link shows to whoever holds it. */
export interface SharedView {
  status: Status
  carType: string
  pickup: Place
  drop: Place
  level: ShareLevel
  expires: number
  driver?: { name: string; vehicle: string; image?: string }
  location?: LatLng & { at: number }
}

/** Makes a public link to a booking; it ends by itself after `hours`. */
export const shareBooking = operation<
  { booking_id: string; level: ShareLevel; hours: number; quiet?: boolean },
  SharedLink
>('bookingdata/share', async ({ quiet: _, ...input }, { functions }) => {
  const answer = await functions.call<{ token: string; expires: number }>('share_booking', input)
  return { ...answer, level: input.level }
})

/** Takes a link back. */
export const revokeShare = operation<{ booking_id: string; revoke: string; quiet?: boolean }>(
  'bookingdata/revokeShare',
  async ({ quiet: _, ...input }, { functions }) => {
    await functions.call('share_booking', input)
  },
)

/** What a link shows now; not_found when it is unknown, over or taken back. */
export const fetchShared = operation<{ token: string; quiet?: boolean }, SharedView>(
  'bookingdata/fetchShared',
  ({ token }, { functions }) =>
    functions.get<SharedView>(`track?token=${encodeURIComponent(token)}`),
)

const KEY = 'kerbside.shares'
const all = (): Record<string, SharedLink[]> => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, SharedLink[]>
  } catch {
    return {}
  }
}
/** The links made on this device that are not over yet. */
export const sharedLinks = (booking: string): SharedLink[] =>
  (all()[booking] ?? []).filter(({ expires }) => expires > Date.now())

export const keepLinks = (booking: string, links: SharedLink[]) => {
  const others = Object.entries(all()).filter(([id]) => id !== booking)
  const kept = links.length > 0 ? [...others, [booking, links]] : others
  remember(KEY, JSON.stringify(Object.fromEntries(kept)))
}
