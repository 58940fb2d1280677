import { useEffect, useState } from 'react'

/** The time now (ms), for what happens on a click. */
export const clock = (): number => Date.now()

/** The time (ms) as it was when the minute began to be shown; a page left open over midnight turns its day. */
export const useMinute = (): number => {
  const [now, setNow] = useState(clock)
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
