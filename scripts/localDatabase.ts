import type { Value } from '~/domain/booking/change'

export const PROJECT = 'demo-kerbside'
export const NAMESPACE = `${PROJECT}-default-rtdb`
export const BUCKET = `${PROJECT}.firebasestorage.app`

/** The database of a running suite, read and written as its owner: past the rules and without triggers. */
export interface LocalDatabase {
  get(path: string, query?: Record<string, string>): Promise<unknown>
  put(path: string, value: Value): Promise<void>
}

const TRIES = 5
/** Asks again when it fails: a socket that rested meanwhile may just have been closed. For what may be done twice. */
export const again = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries >= TRIES) throw error
    }
  }
}

/** Opens the database at `url` (http://host:port). A refused request throws with the server's words. */
export function localDatabase(url: string): LocalDatabase {
  const request = async (
    method: string,
    path: string,
    query: Record<string, string>,
    body?: string,
  ) => {
    const where = new URL(`${url}/${path}.json`)
    for (const [key, value] of Object.entries({ ns: NAMESPACE, ...query })) {
      where.searchParams.set(key, value)
    }
    const response = await again(() =>
      fetch(where, {
        method,
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        ...(body !== undefined && { body }),
      }),
    )
    if (!response.ok) {
      throw new Error(`The database refused ${method} /${path}: ${await response.text()}`)
    }
    return response.json() as Promise<unknown>
  }
  return {
    get: (path, query = {}) => request('GET', path, query),
    put: async (path, value) => {
      const query = { disableTriggers: 'true', writeSizeLimit: 'unlimited' }
      await request('PUT', path, query, JSON.stringify(value))
    },
  }
}

/** True before anything was ever seeded or set up. */
export async function isEmpty(database: LocalDatabase): Promise<boolean> {
  return (await database.get('', { shallow: 'true' })) === null
}
