// The service worker: the shell works without a network, pushes can be shown, nothing else. Bookings come live from the
// database or not at all: an answer from yesterday would be worse than none.

/** All replaced at build time: the build's own name, what the shell needs, and what some screens need beside it. */
declare const KERBSIDE_BUILD: string
declare const KERBSIDE_SHELL: string[]
declare const KERBSIDE_KEPT: Record<string, string[]>

// The DOM's types and a worker's do not go together; this is all that is used of the latter.
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Told extends Waiting {
  data: unknown
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
  addEventListener(type: 'message', run: (event: Told) => void): void
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

/** Where it is noted which screens are kept on this device. */
const noteOf = (screens: string) => `/kept/${screens}`

/** What some screens need, so that a page of theirs opened again without a network goes on. */
const keep = async (screens: string) => {
  const cache = await caches.open(CACHE)
  const missing: string[] = []
  for (const file of KERBSIDE_KEPT[screens] ?? [])
    if (!(await cache.match(file))) missing.push(file)
  await cache.addAll(missing)
  await cache.put(noteOf(screens), new Response(''))
}
const fill = async () => {
  const kept: string[] = []
  for (const screens of Object.keys(KERBSIDE_KEPT))
    if (await caches.match(noteOf(screens))) kept.push(screens)
  const cache = await caches.open(CACHE)
  await cache.addAll([SHELL_PAGE, ...KERBSIDE_SHELL])
  // Where the backend is: fetched by the first page before there was a worker to see it.
  await cache.add('/config.json').catch(() => undefined)
  // The files of the build before this one are about to go.
  for (const screens of kept) await keep(screens)
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
worker.addEventListener('message', (event) => {
  const { keep: screens } = (event.data ?? {}) as { keep?: string }
  if (screens) event.waitUntil(keep(screens))
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
