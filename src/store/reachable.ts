import { useEffect, useState } from 'react'
import { selectProfile } from './auth'
import { useAppSelector, useServices } from './hooks'

/** Whether the database answers whoever is signed in. A visitor's page asks it too little to say. */
export const useReachable = (): boolean => {
  const { database } = useServices()
  const signedIn = useAppSelector(selectProfile) !== null
  const [lost, setLost] = useState(false)
  useEffect(() => {
    if (!signedIn) return
    const stop = database.connected((connected) => setLost(!connected))
    return () => {
      stop()
      setLost(false)
    }
  }, [database, signedIn])
  return !lost
}
