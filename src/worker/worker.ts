// The service worker: the shell works without a network, pushes can be shown, nothing else. Bookings come live from the
// database or not at all: an answer from yesterday would be worse than none.

/** Both replaced at build time: the build's own name, and what the shell needs. */
declare const KERBSIDE_BUILD: string
declare const KERBSIDE_SHELL: string[]

// The DOM's types and a worker's do not go together; this is all that is used of the latter.
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Clicked extends Waiting {
  notification: Notification
}
interface OpenPage {
  focus(): Promise<OpenPage>
  navigate(url: string): Promise<unknown>
}
interface Scope {
  addEventListener(type: 'install' | 'activate', run: (event: Waiting) => void): void
  addEventListener(type: 'fetch', run: (event: Fetching) => void): void
  addEventListener(type: 'notificationclick', run: (event: Clicked) => void): void
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
}
const worker = self as unknown as Scope

const CACHE = `kerbside-${KERBSIDE_BUILD}`
/** The empty page every screen starts from. */
const SHELL_PAGE = '/app'

const fill = async () => {
  const cache = await caches.open(CACHE)
  await cache.addAll([SHELL_PAGE, ...KERBSIDE_SHELL])
}
const tidy = async () => {
  const old = (await caches.keys()).filter((name) => name.startsWith('kerbside-') && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** Names with a hash never change: what was fetched once is right for good. */
const fromCache = async (request: Request): Promise<Response> => {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const answer = await fetch(request)
  if (answer.ok) await cache.put(request, answer.clone())
  return answer
}
const fromNetwork = async (request: Request): Promise<Response> => {
  const cache = await caches.open(CACHE)
  try {
    const answer = await fetch(request)
    if (answer.ok) await cache.put(request, answer.clone())
    return answer
  } catch {
    return (await cache.match(request)) ?? Response.error()
  }
}
const page = async (request: Request): Promise<Response> => {
  try {
    return await fetch(request)
  } catch {
    const cache = await caches.open(CACHE)
    return (await cache.match(SHELL_PAGE)) ?? Response.error()
  }
}

worker.addEventListener('install', (event) => {
  event.waitUntil(fill().then(() => worker.skipWaiting()))
})
worker.addEventListener('activate', (event) => event.waitUntil(tidy()))
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/assets/')) event.respondWith(fromCache(request))
  else if (pathname === '/config.json' || pathname.startsWith('/images/'))
    event.respondWith(fromNetwork(request))
})
worker.addEventListener('notificationclick', (event) => {
  const { to = '/' } = (event.notification.data ?? {}) as { to?: string }
  event.notification.close()
  const show = async () => {
    const [open] = await worker.clients.matchAll({ type: 'window' })
    if (!open) return worker.clients.openWindow(to)
    await open.focus()
    return open.navigate(to)
  }
  event.waitUntil(show())
})
