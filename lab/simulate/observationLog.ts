import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { TimedObservation } from './runRecorder'

/**
 * The observations of a run, written to disk immediately, so that an interrupted run can resume.
 */
interface ObservationLog {
  earlierObservations: readonly TimedObservation[]
  append(noted: TimedObservation): void
}

const parseObservation = (line: string): TimedObservation[] => {
  try {
    return [JSON.parse(line) as TimedObservation]
  } catch {
    // The line that was incomplete when the simulator was killed.
    return []
  }
}

/** Opens the log in a folder or starts a new one. */
export const openObservationLog = (folder: string): ObservationLog => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'seen.jsonl')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  const handle = openSync(file, 'a')
  return {
    earlierObservations: text.split('\n').filter(Boolean).flatMap(parseObservation),
    append: (noted) => void writeSync(handle, `${JSON.stringify(noted)}\n`),
  }
}
