import { useSyncExternalStore } from 'react'
import { readPushRegistration } from '~/src/store/pushRegistration'
import { readPreference, savePreference } from '~/src/ui/preferences'

const SETTING_KEY = 'kerbside.notify'
const listeners = new Set<() => void>()
const notifyListeners = () => {
  for (const listener of listeners) listener()
}

type NotificationState = 'on' | 'off' | 'denied' | 'install' | 'impossible'

/** Returns true for an iPhone or iPad whose browser shows notifications only of installed sites. */
const isInstallRequired = () =>
  /iPhone|iPad/.test(navigator.userAgent) &&
  !window.matchMedia('(display-mode: standalone)').matches

const readState = (): NotificationState => {
  if (typeof Notification === 'undefined') return isInstallRequired() ? 'install' : 'impossible'
  if (Notification.permission === 'denied') return 'denied'
  return Notification.permission === 'granted' && readPreference(SETTING_KEY) === 'on'
    ? 'on'
    : 'off'
}

/**
 * Returns the notification state of this device, from the person's choice and the browser's
 * permission.
 */
export const useNotificationState = (): NotificationState =>
  useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    readState,
    () => 'off',
  )

/** Requests the browser's permission to show notifications. */
export const enableNotifications = async () => {
  const permission = await Notification.requestPermission()
  if (permission === 'granted') savePreference(SETTING_KEY, 'on')
  notifyListeners()
}
export const disableNotifications = () => {
  localStorage.removeItem(SETTING_KEY)
  notifyListeners()
}

/** Shows a push as a device notification while the page is hidden. */
export const showDeviceNotification = async (title: string, body: string, to: string) => {
  if (readState() !== 'on' || document.visibilityState === 'visible') return
  // The service worker shows the push itself.
  if (readPushRegistration()) return
  const options = { body, icon: '/icon.svg', data: { to }, tag: to }
  const worker = await navigator.serviceWorker?.getRegistration()
  // Phones show notifications only through a service worker.
  if (worker) await worker.showNotification(title, options)
  else new Notification(title, options)
}
