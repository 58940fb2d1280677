import { useSyncExternalStore } from 'react'

const KEY = 'kerbside.notify'
const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

type Notifying = 'on' | 'off' | 'denied' | 'impossible'

const now = (): Notifying => {
  if (typeof Notification === 'undefined') return 'impossible'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on' ? 'on' : 'off'
}

/** Whether this device shows pushes beside the page, as the person and the browser want it. */
export const useNotifying = (): Notifying =>
  useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    now,
    () => 'off',
  )

/** Asks the browser, which asks the person. */
export const startNotifying = async () => {
  const answer = await Notification.requestPermission()
  if (answer === 'granted') localStorage.setItem(KEY, 'on')
  tell()
}
export const stopNotifying = () => {
  localStorage.removeItem(KEY)
  tell()
}

/** Shows a push outside the page while nobody looks at it. */
export const showOutside = async (title: string, body: string, to: string) => {
  if (now() !== 'on' || document.visibilityState === 'visible') return
  const options = { body, icon: '/icon.svg', data: { to }, tag: to }
  const worker = await navigator.serviceWorker?.getRegistration()
  // Phones show only what a service worker shows.
  if (worker) await worker.showNotification(title, options)
  else new Notification(title, options)
}
