import { useTranslation } from 'react-i18next'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { usePerson } from '~/src/features/users/person'
import { Panel } from '~/src/office/recordPages/Panel'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { PersonEditForm } from './PersonEditForm'
import { isPersonPart, PERSON_PARTS, type PersonPart } from './personParts'
import type { UserType } from '~/domain/access/types'

/**
 * Shows a panel next to the list: a new person, an existing one, their wallet or their documents.
 */
export const PersonPanel = ({
  usertype,
  id,
  part,
  onPart,
  onAdded,
  onClose,
}: {
  usertype: UserType
  id: string | null
  part: string | null
  onPart: (part: PersonPart) => void
  onAdded: (id: string) => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { user, loading, error, retry } = usePerson(id ?? '')
  const on = { onPart, onAdded, onClose }
  if (id === null) return <PersonEditForm usertype={usertype} person={null} {...on} />
  if (!user || user.usertype !== usertype)
    return (
      <Panel wide title={t('person')} onClose={onClose}>
        {error.flag ? (
          <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
        ) : loading ? (
          <SkeletonLines />
        ) : (
          <EmptyState title={t('not_found')} />
        )}
      </Panel>
    )
  const person = { ...user, id }
  if (!isPersonPart(part)) return <PersonEditForm usertype={usertype} person={person} {...on} />
  const Part = PERSON_PARTS[part]
  return (
    <Panel
      title={t('part_of', { part: t(part), name: formatFullName(person) || id })}
      onClose={onClose}
    >
      <Part person={person} />
    </Panel>
  )
}
