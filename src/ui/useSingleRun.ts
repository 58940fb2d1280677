import { useRef, useState } from 'react'

/**
 * Returns a function that runs one action at a time, and whether one is running. A call during a
 * run does nothing and resolves with undefined. With `isLast`, nothing runs after a success,
 * because its form closes.
 *
 * Two clicks in one tick come before React has rendered a busy button. A state cannot stop the
 * second one, which would book, pay or send once more.
 */
export const useSingleRun = ({ isLast = false } = {}) => {
  const isRunning = useRef(false)
  const [busy, setBusy] = useState(false)
  const setRunning = (isNow: boolean) => {
    isRunning.current = isNow
    setBusy(isNow)
  }
  const run = async <Result>(action: () => Promise<Result>): Promise<Result | undefined> => {
    if (isRunning.current) return undefined
    setRunning(true)
    let isOver = !isLast
    try {
      return await action()
    } catch (error) {
      isOver = true
      throw error
    } finally {
      if (isOver) setRunning(false)
    }
  }
  return { busy, run }
}
