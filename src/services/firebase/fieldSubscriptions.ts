import type { Unsubscribe } from '../services'

const setPath = (
  record: Record<string, unknown>,
  [first = '', ...rest]: string[],
  part: unknown,
) => {
  if (rest.length === 0) record[first] = part
  else setPath((record[first] ??= {}) as Record<string, unknown>, rest, part)
}

/** Subscribes to the value at one path; calls `onHidden` when the rules hide it. */
export type Listen = (
  path: string,
  onPart: (part: unknown) => void,
  onHidden: () => void,
) => Unsubscribe

/**
 * Subscribes to fields of some records. Calls back once all are known and after every change. Omits
 * fields that the rules hide.
 */
export const subscribeToFields = (
  listen: Listen,
  path: string,
  { keys, fields }: { keys: readonly string[]; fields: readonly string[] },
  onChange: (value: unknown) => void,
): Unsubscribe => {
  const parts = new Map<string, unknown>()
  const fieldPaths = keys.flatMap((key) => fields.map((field) => `${key}/${field}`))
  if (fieldPaths.length === 0) onChange(null)
  const arrived = (place: string, part: unknown) => {
    parts.set(place, part)
    if (parts.size < fieldPaths.length) return
    const records: Record<string, unknown> = {}
    for (const [at, value] of parts) if (value !== null) setPath(records, at.split('/'), value)
    onChange(Object.keys(records).length > 0 ? records : null)
  }
  const stops = fieldPaths.map((place) =>
    listen(
      `${path}/${place}`,
      (part) => arrived(place, part),
      () => arrived(place, null),
    ),
  )
  return () => stops.forEach((stop) => stop())
}
