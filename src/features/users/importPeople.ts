import type { EndpointOutput } from '~/domain/api/api'
import type { ImportPeopleInput } from '~/domain/api/inputs/imports'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Imports a batch of riders or drivers; returns the outcome of each row. */
export const importPeople = createServiceThunk<ImportPeopleInput, EndpointOutput<'import_people'>>(
  'usersdata/importPeople',
  (input, { functions }) => functions.call('import_people', input),
)
