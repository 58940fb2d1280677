import { defineOpenEndpoint } from '../../http/endpointTypes'

/** Reports whether the functions can reach the database. */
export const health = defineOpenEndpoint({
  name: 'health',
  summary: 'Returns whether the functions run and reach the database. GET.',
  allow: ['anyone'],
  limit: 240,
  spends: [],
  errors: [],
  handle: async (_input, { db }) => ({
    ok: true,
    set_up: (await db.read('settings/appName')) !== null,
  }),
})
