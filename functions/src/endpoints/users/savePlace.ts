import { dbPaths } from '~/domain/data/databasePaths'
import { fail } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import type { SavedAddress } from '~/domain/accounts/types'

/** Every list of places is sorted by this count, and shows home and work first. */
const FIRST_COUNTS = { home: 200_000_000, work: 100_000_000 } as const

/** Saves the caller's home or workplace among their saved addresses. */
export const save_place = defineUserEndpoint({
  name: 'save_place',
  summary:
    'Saves the caller’s home or workplace, which place fields offer first. Without `place` it is removed.',
  allow: ['rider'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'address_too_long'],
  async handle({ name, place }, { actor, db }) {
    const path = `${dbPaths.user(actor.uid)}/savedAddresses/${name}`
    const saved: SavedAddress | null = place
      ? { lat: place.lat, lng: place.lng, description: place.add, count: FIRST_COUNTS[name] }
      : null
    try {
      await db.update({ [path]: saved && { ...saved } })
    } catch (error) {
      // The rules refuse places of an account that has been deleted since.
      if (error instanceof WriteConflictError) fail('not_found')
      throw error
    }
    return { success: true }
  },
})
