import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { usePerson } from '~/src/features/users/person'

/** Shows a person's name by ID, or the ID when the person no longer exists. */
export const PersonName = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const isServer = id === SERVER_UID
  const { user } = usePerson(isServer ? '' : id)
  if (isServer) return t('by_system')
  return <bdi title={id}>{(user && formatFullName(user)) || id}</bdi>
}
