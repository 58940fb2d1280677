import { useEffect, useState } from 'react'

/** This device's time now (ms), looked at anew every `everyMs`: never counted up, so a phone that slept is not behind. */
export const useNow = (everyMs = 1000): number => {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
