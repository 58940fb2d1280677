import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { usePerson } from '~/src/features/users/person'
import { getPersonPath } from './personPaths'

/**
 * Links its content to a person's form or wallet. A person who no longer exists has no link, but
 * the content or the fallback.
 */
export const PersonLink = ({
  id,
  part,
  children,
  fallback = children,
}: {
  id: string
  part?: 'wallet'
  children: ReactNode
  fallback?: ReactNode
}) => {
  const { user } = usePerson(id === SERVER_UID ? '' : id)
  if (!user) return fallback
  return <Link to={getPersonPath({ id, usertype: user.usertype }, part)}>{children}</Link>
}
