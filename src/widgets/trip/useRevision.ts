import { useState } from 'react'
import type { DomainError } from '~/domain/api/errors'

/**
 * Holds the revision of a record that the person has seen; a change of a later one is a conflict.
 * After a refusal the next attempt replaces the change of the colleague who was faster.
 */
export const useRevision = (initial: number) => {
  const [revision, setRevision] = useState(initial)
  const takeRefused = ({ key, params }: DomainError) => {
    const present = params?.revision
    if (key === 'changed_meanwhile' && typeof present === 'number') setRevision(present)
  }
  return { revision, takeRefused }
}
