import type { Stop } from './services'

/** How long until what could not be had is asked for again. */
const AGAIN_MS = 3000

/** Starts once what it needs is there, unless it was stopped before. */
export const startWith = <Needed>(
  needed: Promise<Needed>,
  start: (value: Needed) => Stop,
  onError: (error: unknown) => void,
): Stop => {
  let stopped = false
  let stop: Stop = () => {}
  needed.then(
    (value) => {
      if (!stopped) stop = start(value)
    },
    (error: unknown) => {
      if (!stopped) onError(error)
    },
  )
  return () => {
    stopped = true
    stop()
  }
}

/** The same for what nobody would ask for anew: it is asked for until it comes, as a connection is. */
export const startWhenHad = <Needed>(
  need: () => Promise<Needed>,
  start: (value: Needed) => Stop,
): Stop => {
  let stop: Stop = () => {}
  const attempt = () => {
    stop = startWith(need(), start, () => {
      const timer = setTimeout(attempt, AGAIN_MS)
      stop = () => clearTimeout(timer)
    })
  }
  attempt()
  return () => stop()
}
