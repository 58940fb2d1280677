import { useRef } from 'react'
import { useServices } from '~/src/store/hooks'

/**
 * Ids for deeds whose answer may get lost. The same deed tried again has the same id, by which the server does it only
 * once; another deed, and the same one after `done`, has an id of its own.
 */
export const useDeedId = (): { idOf: (deed: object) => Promise<string>; done: () => void } => {
  const { database } = useServices()
  const tried = useRef<{ deed: string; id: string } | null>(null)
  return {
    idOf: async (what) => {
      const deed = JSON.stringify(what)
      if (tried.current?.deed !== deed) tried.current = { deed, id: await database.newKey() }
      return tried.current.id
    },
    done: () => {
      tried.current = null
    },
  }
}
