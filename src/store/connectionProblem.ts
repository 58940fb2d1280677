import { useEffect, useState, useSyncExternalStore } from 'react'
import {
  retryMissingChunks,
  isChunkMissing,
  subscribeToMissingChunks,
} from '~/src/ui/loading/loadWithRetry'
import { selectProfile } from './auth'
import { useAppSelector, useServices } from './hooks'
import { selectHasPendingQuery } from './live/liveSlice'
import type { Milliseconds } from '~/domain/language/units'

/**
 * Milliseconds before a lost connection is reported, because every page starts with a short moment
 * without one.
 */
const DISCONNECTED_DELAY_MS = 1500
/**
 * Milliseconds before a missing response is reported; connecting over a slow network takes two
 * seconds.
 */
const SLOW_RESPONSE_MS = 3000

/**
 * Milliseconds that the site's server has to respond: at first, so that the report is not late, and
 * in later checks, because a slow network is not the same as none.
 */
const FIRST_CHECK_MS = 1000
const LATER_CHECK_MS = 10_000
const CHECK_INTERVAL_MS = 3000

/** The device has no network, or the database does not respond. */
export type ConnectionProblem = 'offline' | 'unreachable'

const useIsOnline = () =>
  useSyncExternalStore(
    (onChange) => {
      window.addEventListener('online', onChange)
      window.addEventListener('offline', onChange)
      return () => {
        window.removeEventListener('online', onChange)
        window.removeEventListener('offline', onChange)
      }
    },
    () => navigator.onLine,
    () => true,
  )

/** Returns null until the first connection attempt. */
const useIsConnected = (): boolean | null => {
  const { database } = useServices()
  const [connected, setConnected] = useState<boolean | null>(null)
  useEffect(() => database.subscribeToConnection(setConnected), [database])
  return connected
}

/**
 * Returns a connection problem only while it matters: on a page that waits for a response or a
 * file, which `onRetry` requests again, and for a signed-in user, whose data becomes outdated.
 * `isWaiting` marks a page that waits for data other than a live slice.
 */
export const useConnectionProblem = (
  isWaiting = false,
): { problem: ConnectionProblem | null; onRetry?: () => void; isRetrying: boolean } => {
  const services = useServices()
  const isSignedIn = useAppSelector(selectProfile) !== null
  const hasPendingQuery = useAppSelector(selectHasPendingQuery)
  const hasMissingChunk = useSyncExternalStore(
    subscribeToMissingChunks,
    isChunkMissing,
    () => false,
  )
  const isOnline = useIsOnline()
  const isConnected = useIsConnected()
  const [problem, setProblem] = useState<ConnectionProblem | null>(null)
  const [attempt, setAttempt] = useState(0)
  const [checkedAttempt, setCheckedAttempt] = useState(0)

  const isLost = !isOnline || isConnected === false
  const isStuck = hasMissingChunk || (isLost && (hasPendingQuery || isWaiting))
  const hasProblem = isStuck || !isOnline || (isSignedIn && isLost)
  useEffect(() => {
    let ended = false
    let timer: ReturnType<typeof setTimeout>
    // The browser also reports online on a network without Internet access, so we check the site's
    // server.
    const needsCheck = isStuck && isOnline
    const updateProblem = async (limitMs: Milliseconds) => {
      const isOffline = !needsCheck || !(await services.isSiteReachable(limitMs))
      if (ended) return
      setProblem(hasProblem ? (isOffline ? 'offline' : 'unreachable') : null)
      setCheckedAttempt(attempt)
      if (needsCheck)
        timer = setTimeout(() => void updateProblem(LATER_CHECK_MS), CHECK_INTERVAL_MS)
    }
    const wait = !hasProblem ? 0 : needsCheck ? SLOW_RESPONSE_MS : DISCONNECTED_DELAY_MS
    timer = setTimeout(() => void updateProblem(FIRST_CHECK_MS), wait)
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [services, hasProblem, isStuck, isOnline, attempt])

  const retry = () => {
    retryMissingChunks()
    services.database.reconnect().catch(() => undefined)
    setAttempt((count) => count + 1)
  }
  return {
    problem: problem,
    ...(isStuck && { onRetry: retry }),
    isRetrying: attempt !== checkedAttempt,
  }
}
