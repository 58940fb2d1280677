/**
 * The texts and settings with which the worker shows pushes. The page stores them, because the
 * worker has no translator.
 */
export interface PushTexts {
  /** A locale that Intl takes, such as pt-BR. */
  locale: string
  dir: 'ltr' | 'rtl'
  /** Texts by key, with `{{…}}` placeholders: those of pushes, reasons and buttons. */
  texts: Record<string, string>
  /** The path of each screen; `:id` stands for the booking. */
  paths: Record<string, string>
  money: { locale: string; symbol: string; symbolAfter: boolean; decimal: number }
}

// The names of src/worker/worker.ts, which can import nothing at run time.
const CACHE_NAME = 'kerbside-push'
const TEXTS_PATH = '/push/texts'
const ANSWER_PATH = '/push/answer'
/** Milliseconds during which a notification's button counts; afterward the request has expired. */
const ANSWER_LIFETIME_MS = 120_000

/** Gives the service worker the texts with which it shows pushes. */
export const storePushTexts = async (texts: PushTexts): Promise<void> => {
  if (!('caches' in globalThis)) return
  const cache = await caches.open(CACHE_NAME)
  await cache.put(TEXTS_PATH, Response.json(texts))
}

/** A driver's answer to a request, given with a button of its notification. */
export interface PushAnswer {
  booking_id: string
  event: 'accept' | 'decline'
}

/** Returns the answer that the service worker left for this page, once; null for none. */
export const takePushAnswer = async (now: number): Promise<PushAnswer | null> => {
  if (!('caches' in globalThis)) return null
  const cache = await caches.open(CACHE_NAME)
  const stored = await cache.match(ANSWER_PATH)
  if (!stored || !(await cache.delete(ANSWER_PATH))) return null
  const { booking_id, event, at } = (await stored.json()) as PushAnswer & { at: number }
  const isKnown = event === 'accept' || event === 'decline'
  return isKnown && now - at < ANSWER_LIFETIME_MS ? { booking_id, event } : null
}
