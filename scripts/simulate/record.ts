import { appendFileSync, existsSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Noted } from './observed'

/** What a run saw, on the disk from the moment it was seen: a run that is cut short can go on. */
interface Record {
  earlier: readonly Noted[]
  keep(noted: Noted): void
}

const notedOf = (line: string): Noted[] => {
  try {
    return [JSON.parse(line) as Noted]
  } catch {
    // The line that was being written when the simulator was killed.
    return []
  }
}

/** Opens the record kept in a folder, or begins one. */
export const openRecord = (folder: string): Record => {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'seen.jsonl')
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (text !== '' && !text.endsWith('\n')) appendFileSync(file, '\n')
  const handle = openSync(file, 'a')
  return {
    earlier: text.split('\n').filter(Boolean).flatMap(notedOf),
    keep: (noted) => void writeSync(handle, `${JSON.stringify(noted)}\n`),
  }
}
