import { useCallback, useEffect, useState } from 'react'
import type { DomainError } from '~/domain/errors'
import type { HelpCase } from '~/domain/help/helpCase'
import { useAppDispatch } from '~/src/store/hooks'
import { fetchHelp } from './help'

/** Returns the case of a booking; undefined while it loads, null when there is none. */
export const useHelpCase = (booking: string) => {
  const dispatch = useAppDispatch()
  const [known, setKnown] = useState<HelpCase | null | undefined>(undefined)
  const [failure, setFailure] = useState<DomainError | null>(null)
  const load = useCallback(
    () =>
      dispatch(fetchHelp.quiet(booking))
        .unwrap()
        .then(
          (found) => {
            setFailure(null)
            setKnown(found)
          },
          (error: unknown) => setFailure(error as DomainError),
        ),
    [booking, dispatch],
  )
  useEffect(() => void load(), [load])
  return { known, setKnown, failure, load }
}
