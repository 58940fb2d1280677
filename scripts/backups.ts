import { readFile, writeFile } from 'node:fs/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { isDeepStrictEqual } from 'node:util'
import { violations, type DatabaseTree } from '~/domain/invariants'

/** A whole database by REST, past its rules. */
export interface Store {
  read(): Promise<unknown>
  /** Replaces everything in one write: all or nothing, and no trigger runs. */
  replace(tree: unknown): Promise<void>
}

/** `headers` sign the requests; `query` is added to each, such as an emulator's namespace. */
export const storeAt = (
  url: string,
  headers: Record<string, string>,
  query: Record<string, string> = {},
): Store => {
  const ask = async (more: Record<string, string>, init: RequestInit): Promise<Response> => {
    const place = new URL('.json', url)
    for (const [name, value] of Object.entries({ ...query, ...more }))
      place.searchParams.set(name, value)
    const response = await fetch(place, { ...init, headers })
    if (!response.ok)
      throw new Error(`The database answered ${response.status}: ${await response.text()}`)
    return response
  }
  return {
    read: async () => (await ask({}, {})).json(),
    replace: async (tree) => {
      const how = { disableTriggers: 'true', writeSizeLimit: 'unlimited', print: 'silent' }
      await ask(how, { method: 'PUT', body: JSON.stringify(tree) })
    },
  }
}

/** How many records each branch has. */
const countsOf = (tree: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(tree).map(([branch, value]): [string, number] => [
      branch,
      typeof value === 'object' && value !== null ? Object.keys(value).length : 1,
    ]),
  )

/** Writes the database into a file, packed when its name ends in .gz; answers what is in it. */
export const save = async (store: Store, file: string): Promise<Record<string, number>> => {
  const tree = (await store.read()) ?? {}
  const text = JSON.stringify(tree)
  await writeFile(file, file.endsWith('.gz') ? gzipSync(text) : text, { mode: 0o600 })
  return countsOf(tree)
}

/** A backup as it was read; throws a sentence when it is none. */
export const open = async (file: string): Promise<DatabaseTree> => {
  const bytes = await readFile(file)
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  const tree: unknown = JSON.parse(text)
  if (typeof tree !== 'object' || tree === null || !('settings' in tree) || !('users' in tree))
    throw new Error(`${file} is no backup of Kerbside: it has no settings or no users.`)
  return tree as DatabaseTree
}

/**
 * Puts a backup back and proves that it is there. Throws a sentence, and has written nothing, when the backup is not sound
 * (unless `unsound`) or the database is not empty (unless `replace`).
 */
export const restore = async (
  store: Store,
  file: string,
  { replace = false, unsound = false }: { replace?: boolean; unsound?: boolean } = {},
): Promise<Record<string, number>> => {
  const tree = await open(file)
  const wrong = violations(tree)
  if (wrong.length > 0 && !unsound)
    throw new Error(
      `The backup is not sound; --unsound restores it all the same.\n${wrong.join('\n')}`,
    )
  if (!replace && (await store.read()) !== null)
    throw new Error('The database is not empty; --replace forgets what is there.')
  await store.replace(tree)
  const there = await store.read()
  if (!isDeepStrictEqual(there, tree))
    throw new Error(
      'What is in the database now is not what is in the backup. Close the doors and try again.',
    )
  return countsOf(tree)
}
