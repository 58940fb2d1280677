import type { BrowserContext, CDPSession, Worker } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LocalMessage } from '~/functions/src/ports/localMessages'
import inboxTexts from '~/src/i18n/locales/en/inbox.json'
import en from '~/src/i18n/locales/en/shared.json'
import { findAccessibilityFaults } from '../support/accessibilityCheck'
import {
  openDriverSetup,
  PHONE,
  pollUntil,
  TIMEOUT_MS,
  type DriverSetup,
} from '../support/driverSetup'
import { PLAIN_FILE } from '../support/testBrowser'
import { getSuite } from '../support/testSuite'
import type { PushDevice } from '~/domain/accounts/types'

let driverSetup: DriverSetup
beforeAll(async () => {
  driverSetup = await openDriverSetup({ serviceWorkers: 'allow', isFull: true })
})
afterAll(() => driverSetup.close())

/** Opens an empty page whose DevTools session lasts while no page of the app is open. */
const openWorkerSession = async (context: BrowserContext) => {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const registrations = new Map<string, string>()
  session.on('ServiceWorker.workerRegistrationUpdated', (event) => {
    for (const { registrationId, scopeURL, isDeleted } of event.registrations)
      if (isDeleted) registrations.delete(scopeURL)
      else registrations.set(scopeURL, registrationId)
  })
  await session.send('ServiceWorker.enable')
  const scope = `${getSuite().urls.web}/`
  await pollUntil(() => registrations.has(scope)).toBe(true)
  return { session, registrationId: registrations.get(scope) ?? '' }
}
const deliver = (session: CDPSession, registrationId: string, data: string) =>
  session.send('ServiceWorker.deliverPushMessage', {
    origin: getSuite().urls.web,
    registrationId,
    data,
  })

/** Returns the messages that the double of the push service accepted for a device. */
const readMessages = async (token: string) => {
  const response = await fetch(`${getSuite().urls.functions}/local_messages?format=json`)
  const messages = (await response.json()) as LocalMessage[]
  return messages.filter((message) => message.token === token)
}
const readTokens = async (uid: string) =>
  Object.values(
    (await driverSetup.platform.read<Record<string, PushDevice>>('push_tokens')) ?? {},
  ).flatMap((device) => (device.uid === uid ? [device.token] : []))

interface ShownNotification {
  title: string
  to: string
}
interface WorkerScope {
  registration: ServiceWorkerRegistration
  clients: { openWindow(url: string): Promise<null> }
  dispatchEvent(event: Event): boolean
  shown: ShownNotification[]
}
/**
 * Records the notifications that the worker shows. The browser's own list cannot be polled: it
 * drops a notification that is stored but not on the screen yet.
 */
const recordNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = self as unknown as WorkerScope
    const show = scope.registration.showNotification.bind(scope.registration)
    scope.shown = []
    scope.registration.showNotification = async (title, options) => {
      await show(title, options)
      const data = options?.data as { to: string } | undefined
      scope.shown.push({ title, to: data?.to ?? '' })
    }
  })
const listNotifications = (worker: Worker) =>
  worker.evaluate(() => (self as unknown as WorkerScope).shown)
/**
 * Presses a button of the only notification; returns the address that the worker opens. Only the
 * browser itself can make the event that may open a window, so the test opens it.
 */
const press = (worker: Worker, action: string) =>
  worker.evaluate(async (pressed) => {
    const scope = self as unknown as WorkerScope
    const notifications = await scope.registration.getNotifications()
    if (notifications.length !== 1)
      throw new Error(`The browser shows ${notifications.length} notifications instead of one.`)
    return new Promise<string>((resolve, reject) => {
      scope.clients.openWindow = (url) => {
        resolve(url)
        return Promise.resolve(null)
      }
      const event = new Event('notificationclick')
      const waitUntil = (work: Promise<unknown>) => void work.catch(reject)
      Object.assign(event, { notification: notifications[0], action: pressed, waitUntil })
      scope.dispatchEvent(event)
    })
  }, action)

/** Opens the console of a driver who turns on notifications, and closes it again. */
const leaveWithNotifications = async (driver: string) => {
  const { context, page } = await driverSetup.openDriverPhone(driver, (context) =>
    context.grantPermissions(['geolocation', 'notifications']),
  )
  await page.getByText(en.notify_ask_driver).waitFor()
  // Only the button requests the permission, never the page itself.
  expect(await readTokens(driver)).toEqual([])
  await page.getByRole('button', { name: en.notify_start }).click()
  await pollUntil(() => readTokens(driver)).toHaveLength(1)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await pollUntil(() =>
    page.evaluate(async () => (await caches.match('/push/texts')) !== undefined),
  ).toBe(true)
  const { session, registrationId } = await openWorkerSession(context)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('The page has no service worker.')
  await recordNotifications(worker)
  await page.close()
  const [token = ''] = await readTokens(driver)
  return { context, session, registrationId, worker, token }
}
const offerTo = async (driver: string) => {
  const { booking_id } = await driverSetup.createBooking()
  await driverSetup.office.call('advance_booking', { booking_id, event: 'assign', driver })
  return booking_id
}
/** Closes a new driver's console, offers them a booking, and delivers the push to their browser. */
const deliverRequest = async () => {
  const driver = await driverSetup.createDriver()
  const closed = await leaveWithNotifications(driver)
  const booking_id = await offerTo(driver)
  await pollUntil(() => readMessages(closed.token)).toHaveLength(1)
  const [message] = await readMessages(closed.token)
  await deliver(closed.session, closed.registrationId, message?.payload ?? '')
  return { closed, booking_id }
}

test(
  'a driver whose page is closed gets a request as a notification, and accepts it with its button',
  async () => {
    const { closed, booking_id } = await deliverRequest()
    await pollUntil(() => listNotifications(closed.worker)).toEqual([
      { title: inboxTexts.push_task_title, to: `/trips?booking=${booking_id}` },
    ])
    // A link alone accepts nothing: only the button of the notification answers.
    expect(await driverSetup.readStatus(booking_id)).toBe('NEW')
    const address = await press(closed.worker, 'accept')
    const page = await closed.context.newPage()
    await page.goto(address)
    await pollUntil(() => driverSetup.readStatus(booking_id)).toBe('ACCEPTED')
    await page.getByRole('button', { name: 'I’m at the pickup', exact: true }).waitFor()
    await closed.context.close()
  },
  TIMEOUT_MS,
)

test(
  'the notification itself opens the console on its booking without an answer',
  async () => {
    const { closed, booking_id } = await deliverRequest()
    await pollUntil(() => listNotifications(closed.worker)).toHaveLength(1)
    const address = await press(closed.worker, '')
    const page = await closed.context.newPage()
    await page.goto(address)
    await page.getByRole('button', { name: 'Accept', exact: true }).waitFor()
    expect(await driverSetup.readStatus(booking_id)).toBe('NEW')
    await closed.context.close()
  },
  TIMEOUT_MS,
)

test(
  'a sign-out ends the pushes to the device',
  async () => {
    const driver = await driverSetup.createDriver()
    const closed = await leaveWithNotifications(driver)
    const page = await closed.context.newPage()
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Log out' }).click()
    await pollUntil(() => readTokens(driver)).toEqual([])
    await closed.context.close()
  },
  TIMEOUT_MS,
)

test(
  'the local inbox page lists each push that would have been sent',
  async () => {
    const driver = await driverSetup.createDriver()
    const screen = await driverSetup.browser.openAs(null, PLAIN_FILE, PHONE)
    const { page, context } = screen
    await driverSetup.platform.write({
      [`internal/named_devices/${driver}`]: { token: `inbox-${driver}`, revision: 9 },
    })
    await offerTo(driver)
    await pollUntil(() => readMessages(`inbox-${driver}`)).toHaveLength(1)
    await page.goto(`${getSuite().urls.functions}/local_messages`)
    await page.getByText(`push to inbox-${driver}`).first().waitFor()
    await page.getByRole('heading', { name: inboxTexts.push_task_title }).first().waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    await context.close()
  },
  TIMEOUT_MS,
)
