import type { Milliseconds } from '~/domain/language/units'

/** Milliseconds until a request that was not answered is repeated. */
const RETRY_MS = 250
/** The number of requests after which Firebase Auth starts without an answer. */
const MAX_REQUESTS = 20

const wait = (ms: Milliseconds) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), ms))

/**
 * Waits until the browser's IndexedDB answers. WebKit sometimes loses the first request of a page,
 * and Firebase Auth, which sends only one, would then wait for it forever. This asks for the list
 * of databases, which changes nothing, and asks again. After 5 s, or in a browser without the
 * list, it returns anyway.
 */
export const warmUpStorage = async (storage: IDBFactory | undefined): Promise<void> => {
  if (typeof storage?.databases !== 'function') return
  for (let count = 0; count < MAX_REQUESTS; count += 1) {
    const answered = storage.databases().then(
      () => true,
      () => true,
    )
    if (await Promise.race([answered, wait(RETRY_MS)])) return
  }
}
