import { useEffect, useState } from 'react'

/**
 * Returns this device's current time (ms), read from the clock every `everyMs`, so that it stays
 * correct after the phone sleeps.
 */
export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
