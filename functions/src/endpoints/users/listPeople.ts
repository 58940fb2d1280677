import { defineUserEndpoint } from '../../http/endpointTypes'
import type { Query } from '../../ports/database'
import type { DirectoryEntry, ListedPerson } from '~/domain/accounts/types'

/** Maximum number of people of one response. */
const MAX_PEOPLE = 1000

const withoutContacts = (
  id: string,
  { mobile: _mobile, email: _email, ...entry }: DirectoryEntry,
): ListedPerson => ({ ...entry, id })

/** Lists people for the office in demo mode, in which the rules refuse the directory. */
export const list_people = defineUserEndpoint({
  name: 'list_people',
  summary:
    'Returns at most 1,000 people without their phones and e-mail addresses: of one user type or all for an admin, their drivers for a fleet admin.',
  allow: ['admin', 'fleetadmin'],
  limit: 240,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle({ usertype }, { actor, db }) {
    const query: Query =
      actor.role === 'fleetadmin'
        ? { by: 'fleetadmin', equalTo: actor.uid }
        : usertype === undefined
          ? { by: '$key' }
          : { by: 'usertype', equalTo: usertype }
    const page = await db.list<DirectoryEntry>('people', { ...query, last: MAX_PEOPLE })
    return { rows: page.map(([id, entry]) => withoutContacts(id, entry)) }
  },
})
