import type { View } from './view'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A view over plain JSON in export format (`.value` and `.priority` are understood). */
export const jsonView = (json: unknown): View => {
  const priority = isObject(json) ? json['.priority'] : null
  const body = isObject(json) && '.value' in json ? json['.value'] : json
  const keys = isObject(body)
    ? Object.keys(body).filter((key) => key !== '.priority' && jsonView(body[key]).exists)
    : []
  const leaf =
    typeof body === 'string' || typeof body === 'number' || typeof body === 'boolean' ? body : null
  return {
    exists: leaf !== null || keys.length > 0,
    child: (key) => jsonView(isObject(body) && Object.hasOwn(body, key) ? body[key] : null),
    value: () => leaf,
    hasChildren: () => keys.length > 0,
    keys: () => keys,
    priority: () =>
      typeof priority === 'string' || typeof priority === 'number' ? priority : null,
    toJSON: () =>
      isObject(body)
        ? keys.length > 0
          ? Object.fromEntries(keys.map((key) => [key, jsonView(body[key]).toJSON()]))
          : null
        : leaf,
  }
}
