import { useSyncExternalStore } from 'react'
import { TOUR_ROLES, type TourRole } from './tourRole'

/** The steps of each role, in the order in which a newcomer does them. */
export const TOUR_STEPS = {
  book: ['places', 'order', 'follow', 'rate'],
  drive: ['duty', 'accept', 'start', 'finish'],
  dispatch: ['board', 'offer', 'watch', 'price'],
} as const satisfies Record<TourRole, readonly [string, string, string, string]>
export type TourStep = (typeof TOUR_STEPS)[TourRole][number]
const STEPS: readonly TourStep[] = TOUR_ROLES.flatMap((role) => [...TOUR_STEPS[role]])

export interface TourProgress {
  /** When this browser first showed the tour, in ms. */
  startedAt: number
  doneSteps: readonly TourStep[]
  isClosed: boolean
}

// The windows of the tour have separate storages, so this is the one they share. Its names have not
// the prefix of personal data, which a sign-out removes. Each step has its own entry, because
// browsers do not make a read and a write by one window atomic for the others.
const STARTED_KEY = 'demo-tour.started'
const CLOSED_KEY = 'demo-tour.closed'
const toStepKey = (step: TourStep) => `demo-tour.done.${step}`

let sharedStorage: Storage | undefined
const listeners = new Set<() => void>()

/** Remembers the storage that all windows share, before this window gets its own. */
export const keepSharedStorage = (): void => {
  sharedStorage = window.localStorage
}

const readEntry = (name: string): string | null => {
  try {
    return (sharedStorage ?? window.localStorage).getItem(name)
  } catch {
    return null
  }
}

const writeEntry = (name: string, value: string | null): void => {
  try {
    const storage = sharedStorage ?? window.localStorage
    if (value === null) storage.removeItem(name)
    else storage.setItem(name, value)
  } catch {
    // A browser without storage shows no tour, because it could not remember it.
  }
}

const notifyListeners = () => {
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  // Other windows of the tour write too.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Each entry belongs to the tour whose id it has; those of an earlier tour count for nothing. */
const readProgress = (id: string): TourProgress | null => {
  const [startedId, startedAt] = readEntry(STARTED_KEY)?.split(' ') ?? []
  if (startedId !== id) return null
  return {
    startedAt: Number(startedAt),
    doneSteps: STEPS.filter((step) => readEntry(toStepKey(step)) === id),
    isClosed: readEntry(CLOSED_KEY) === id,
  }
}

/** Returns the progress of the tour with this id; null before its first start. */
export const useTourProgress = (id: string): TourProgress | null => {
  // A text, because a new object for each reading would render forever.
  const text = useSyncExternalStore(
    subscribe,
    () => JSON.stringify(readProgress(id)),
    () => 'null',
  )
  return JSON.parse(text) as TourProgress | null
}

/** Starts the tour with this id unless it is known here. */
export const startTour = (id: string, now: number): void => {
  if (readProgress(id)) return
  writeEntry(STARTED_KEY, `${id} ${now}`)
  notifyListeners()
}

/** Marks steps as done, or no longer done; the other steps stay. */
export const markSteps = (id: string, steps: readonly TourStep[], isDone: boolean): void => {
  for (const step of steps) writeEntry(toStepKey(step), isDone ? id : null)
  notifyListeners()
}

export const closeTour = (id: string): void => {
  writeEntry(CLOSED_KEY, id)
  notifyListeners()
}
