import type { PushTexts } from '~/src/store/pushExchange'
import { toNotification, type PushData } from './pushNotification'

// The service worker only makes the shell work offline and shows pushes. Bookings always come live
// from the database, because outdated data would be worse than none.

/**
 * Build-time constants: the build's name, the files of the shell, and the extra files of some
 * screens.
 */
declare const KERBSIDE_BUILD: string
declare const KERBSIDE_SHELL: string[]
declare const KERBSIDE_KEPT: Record<string, string[]>

// The DOM's types conflict with those of a worker, so these declare the parts in use.
interface Waiting {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching {
  request: Request
  respondWith(response: Promise<Response>): void
}
interface ClientMessage extends Waiting {
  data: unknown
}
interface Clicked extends Waiting {
  /** The chosen button, or empty for the notification itself. */
  action: string
  notification: Notification
}
interface Pushed extends Waiting {
  data: { json(): unknown } | null
}
interface OpenPage {
  visibilityState: string
  focus(): Promise<OpenPage>
  navigate(url: string): Promise<unknown>
}
interface Scope {
  addEventListener(type: 'install' | 'activate', run: (event: Waiting) => void): void
  addEventListener(type: 'fetch', run: (event: Fetching) => void): void
  addEventListener(type: 'message', run: (event: ClientMessage) => void): void
  addEventListener(type: 'push', run: (event: Pushed) => void): void
  addEventListener(type: 'notificationclick', run: (event: Clicked) => void): void
  skipWaiting(): Promise<void>
  registration: { showNotification(title: string, options: object): Promise<void> }
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled?: boolean }): Promise<OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
}
// The compiler's DOM types describe a window; the types of a service worker contradict them.
const worker = self as unknown as Scope

const CACHE = `kerbside-${KERBSIDE_BUILD}`
/** Exchanges data with the page; src/store/pushExchange.ts has the same names. */
const PUSH_CACHE = 'kerbside-push'
const TEXTS_PATH = '/push/texts'
const ANSWER_PATH = '/push/answer'
/** The empty page that every screen starts from. */
const SHELL_PAGE = '/app'

/** Returns the path of the note that these screens are kept on this device. */
const getNotePath = (screens: string) => `/kept/${screens}`

/** Caches the files of some screens, so that they can reopen without a network. */
const precache = async (screens: string) => {
  const cache = await caches.open(CACHE)
  const missing: string[] = []
  for (const file of KERBSIDE_KEPT[screens] ?? [])
    if (!(await cache.match(file))) missing.push(file)
  await cache.addAll(missing)
  await cache.put(getNotePath(screens), new Response(''))
}
const fill = async () => {
  const keptScreens: string[] = []
  for (const screens of Object.keys(KERBSIDE_KEPT))
    if (await caches.match(getNotePath(screens))) keptScreens.push(screens)
  const cache = await caches.open(CACHE)
  await cache.addAll([SHELL_PAGE, ...KERBSIDE_SHELL])
  // The first page fetches the config before the worker exists, so the worker caches it here.
  await cache.add('/config.json').catch(() => undefined)
  // The caches of the previous build are about to be deleted.
  for (const screens of keptScreens) await precache(screens)
}
const tidy = async () => {
  const old = (await caches.keys()).filter(
    (name) => name.startsWith('kerbside-') && name !== CACHE && name !== PUSH_CACHE,
  )
  await Promise.all(old.map((name) => caches.delete(name)))
  await worker.clients.claim()
}

/** Serves files with hashed names from the cache, because their content never changes. */
const fromCache = async (request: Request): Promise<Response> => {
  const cache = await caches.open(CACHE)
  const cachedResponse = await cache.match(request)
  if (cachedResponse) return cachedResponse
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}
const fromNetwork = async (request: Request): Promise<Response> => {
  const cache = await caches.open(CACHE)
  try {
    const response = await fetch(request)
    if (response.ok) await cache.put(request, response.clone())
    return response
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
  if (screens) event.waitUntil(precache(screens))
})
/**
 * Shows each push, because iOS ends the subscription of a site that shows nothing. When a visible
 * page also shows the push, the notification is silent.
 */
const showPush = async (event: Pushed) => {
  const { data = {} } = (event.data?.json() ?? {}) as { data?: PushData }
  const cache = await caches.open(PUSH_CACHE)
  const stored = await cache.match(TEXTS_PATH)
  const texts = stored ? ((await stored.json()) as PushTexts) : null
  const { title, options } = toNotification(data, texts, self.location.hostname)
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const isInView = pages.some(({ visibilityState }) => visibilityState === 'visible')
  const { vibrate, ...quiet } = options
  await worker.registration.showNotification(
    title,
    isInView ? { ...quiet, renotify: false, silent: true } : { ...quiet, vibrate },
  )
}
worker.addEventListener('push', (event) => event.waitUntil(showPush(event)))
worker.addEventListener('notificationclick', (event) => {
  const { to = '/', booking_id = '' } = (event.notification.data ?? {}) as {
    to?: string
    booking_id?: string
  }
  event.notification.close()
  const show = async () => {
    // The page answers the request with its usual checks. The answer is not part of the URL,
    // because then any link could accept a booking.
    if (event.action !== '' && booking_id !== '') {
      const decision = { booking_id, event: event.action, at: Date.now() }
      await (await caches.open(PUSH_CACHE)).put(ANSWER_PATH, Response.json(decision))
    }
    const [open] = await worker.clients.matchAll({ type: 'window' })
    if (!open) return worker.clients.openWindow(to)
    await open.focus()
    return open.navigate(to)
  }
  event.waitUntil(show())
})
