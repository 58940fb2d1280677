import { type Database, type Query as FirebaseQuery, onValue, ref } from 'firebase/database'
import type { Stop } from '../services'

/** Listens to a question, and while its answer is empty to the other one. */
export const listenToEither = (
  asked: FirebaseQuery,
  other: FirebaseQuery | undefined,
  onChange: (value: unknown) => void,
  fail: (error: unknown) => void,
): Stop => {
  let stopOther: Stop | undefined
  const stop = onValue(
    asked,
    (snapshot) => {
      if (snapshot.exists() || !other) {
        stopOther?.()
        stopOther = undefined
        onChange(snapshot.val())
      } else stopOther ??= onValue(other, (found) => onChange(found.val()), fail)
    },
    fail,
  )
  return () => {
    stop()
    stopOther?.()
  }
}

const put = (record: Record<string, unknown>, [first = '', ...rest]: string[], part: unknown) => {
  if (rest.length === 0) record[first] = part
  else put((record[first] ??= {}) as Record<string, unknown>, rest, part)
}

/** Listens to parts of some records; calls back when all are known, and at every change of one. What may not be read is left out. */
export const listenToParts = (
  database: Database,
  path: string,
  { keys, fields }: { keys: readonly string[]; fields: readonly string[] },
  onChange: (value: unknown) => void,
): Stop => {
  const parts = new Map<string, unknown>()
  const places = keys.flatMap((key) => fields.map((field) => `${key}/${field}`))
  if (places.length === 0) onChange(null)
  const arrived = (place: string, part: unknown) => {
    parts.set(place, part)
    if (parts.size < places.length) return
    const records: Record<string, unknown> = {}
    for (const [at, value] of parts) if (value !== null) put(records, at.split('/'), value)
    onChange(Object.keys(records).length > 0 ? records : null)
  }
  const stops = places.map((place) =>
    onValue(
      ref(database, `${path}/${place}`),
      (snapshot) => arrived(place, snapshot.val()),
      () => arrived(place, null),
    ),
  )
  return () => stops.forEach((stop) => stop())
}
