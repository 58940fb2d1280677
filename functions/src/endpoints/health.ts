import * as v from 'valibot'
import { forAnyone } from '../definition'

/** Says whether the functions reach the database. */
export const health = forAnyone({
  name: 'health',
  summary: 'Whether the functions run and reach the database. GET.',
  input: v.object({}),
  allow: ['anyone'],
  limit: 240,
  answers: '{ok: true, set_up}',
  refuses: [],
  handle: async (_input, { db }) => ({
    ok: true,
    set_up: (await db.read('settings/appName')) !== null,
  }),
})
