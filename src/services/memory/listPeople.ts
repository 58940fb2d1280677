import type { MemoryBackend } from '~/src/services/memory/backendTypes'
import type { DirectoryEntry } from '~/domain/accounts/types'
import type { UserType } from '~/domain/access/types'

/** Lists people without their contacts like the server, for tests. */
export const listPeople = (
  { usertype }: { usertype?: UserType },
  backend: MemoryBackend,
): { rows: object[] } => {
  const people = (backend.at('people') ?? {}) as unknown as Record<string, DirectoryEntry>
  const uid = backend.getUid() ?? ''
  const isFleet = backend.at(`roles/${uid}`) === 'fleetadmin'
  const rows = Object.entries(people)
    .filter(([, person]) =>
      isFleet ? person.fleetadmin === uid : usertype === undefined || person.usertype === usertype,
    )
    .map(([id, { mobile: _mobile, email: _email, ...person }]) => ({ ...person, id }))
  return { rows }
}
