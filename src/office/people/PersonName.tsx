import { useTranslation } from 'react-i18next'
import { fullName } from '~/domain/people'
import { SERVER_UID } from '~/domain/paths'
import { user as liveUser } from '~/src/features/users/users'
import { useLive } from '~/src/store/liveSlice'

/** Somebody's name by his id; the id of who is no longer there. */
export const PersonName = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const isServer = id === SERVER_UID
  const { user } = useLive(liveUser, isServer ? '' : id)
  if (isServer) return t('by_system')
  return <bdi title={id}>{(user && fullName(user)) || id}</bdi>
}
