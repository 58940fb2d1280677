import { listRefusals, REFUSALS_PATH, type StoredRefusals } from '~/domain/access/refusals'
import { defineUserEndpoint } from '../../http/endpointTypes'

/** Returns how many calls were refused, for the operator. */
export const list_refusals = defineUserEndpoint({
  name: 'list_refusals',
  summary:
    'Returns how many calls were refused on each of the last seven days (UTC), by the key of the refusal, newest day first. Each process adds its counts once a minute.',
  allow: ['admin'],
  limit: 60,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  handle: async (_, { db, now }) => ({
    days: listRefusals((await db.read<StoredRefusals>(REFUSALS_PATH)) ?? {}, now),
  }),
})
