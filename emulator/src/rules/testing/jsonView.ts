import type { View } from '../view'

type JsonLeaf = string | number | boolean

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isLeaf = (value: unknown): value is JsonLeaf =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Returns a view of plain JSON in export format, including `.value` and `.priority`. */
export const createJsonView = (json: unknown): View => new JsonView(json)

class JsonView implements View {
  private readonly body: unknown

  constructor(private readonly json: unknown) {
    this.body = isObject(json) && '.value' in json ? json['.value'] : json
  }

  get exists(): boolean {
    return isLeaf(this.body) || this.hasChildren()
  }

  child(key: string): View {
    const { body } = this
    return new JsonView(isObject(body) && Object.hasOwn(body, key) ? body[key] : null)
  }

  value(): JsonLeaf | null {
    return isLeaf(this.body) ? this.body : null
  }

  hasChildren(): boolean {
    for (const _key of this.keys()) return true
    return false
  }

  *keys(): Iterable<string> {
    const { body } = this
    if (!isObject(body)) return
    for (const key of Object.keys(body)) {
      if (key !== '.priority' && new JsonView(body[key]).exists) yield key
    }
  }

  priority(): string | number | null {
    const priority = isObject(this.json) ? this.json['.priority'] : null
    return typeof priority === 'string' || typeof priority === 'number' ? priority : null
  }

  toJSON(): unknown {
    if (isLeaf(this.body)) return this.body
    const entries = [...this.keys()].map((key) => [key, this.child(key).toJSON()] as const)
    return entries.length > 0 ? Object.fromEntries(entries) : null
  }
}
