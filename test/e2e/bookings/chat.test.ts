import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPushKey } from '~/domain/data/pushKeys'
import { advanceBooking } from '../../functions/testPlatform'
import { findCovered } from '../../support/coveredControls'
import { type DriverSetup, openDriverSetup, pollUntil } from '../../support/driverSetup'
import type { Booking } from '~/domain/booking/types'
import type { ChatMessage } from '~/domain/messages/types'

let setup: DriverSetup
let booking_id: string
let people: Pick<Booking, 'customer' | 'driver'>

/** Writes messages of the chat as its two parties would have sent them. */
const writeMessages = async (...texts: string[]) => {
  const now = Date.now()
  const messages = texts.map((message, index): [string, ChatMessage] => {
    const source = index % 2 === 0 ? 'driver' : 'rider'
    const from = (source === 'driver' ? people.driver : people.customer) ?? ''
    const at = now + index
    const key = `chats/${booking_id}/${createPushKey(at, index)}`
    return [key, { message, from, source, at, type: 'msg', msgDate: '', msgTime: '' }]
  })
  await setup.platform.write(Object.fromEntries(messages))
}

beforeAll(async () => {
  setup = await openDriverSetup()
  const request = await setup.request()
  booking_id = request.booking_id
  await advanceBooking(await setup.platform.signInAs(request.driver), booking_id, 'accept')
  people = (await setup.platform.read<Booking>(`bookings/${booking_id}`))!
  await writeMessages(...Array.from({ length: 40 }, (_, index) => `Earlier message ${index + 1}`))
})
afterAll(() => setup.close())

/** Returns the message with this text. Exact: the time follows the text without a space. */
const findMessage = (page: Page, text: string) =>
  page
    .getByRole('log')
    .getByRole('listitem')
    .filter({ has: page.getByText(text, { exact: true }) })

/** Waits until a message is on the screen and nothing covers it. */
const waitUntilInSight = async (message: Locator) => {
  await message.waitFor()
  await pollUntil(() => findCovered(message)).toEqual([])
}

describe.each([
  { role: 'customer', width: 360, height: 640 },
  { role: 'customer', width: 412, height: 823 },
  { role: 'customer', width: 1280, height: 800 },
  { role: 'driver', width: 360, height: 640 },
  { role: 'driver', width: 1280, height: 800 },
] as const)('the chat of a $role at $width by $height pixels', ({ role, width, height }) => {
  test('shows the newest message after opening, receiving and sending', async () => {
    const { page, context, errors } = await setup.browser.openAs(
      people[role] ?? '',
      `/bookings/${booking_id}/chat`,
      { width, height },
    )
    await findMessage(page, 'Earlier message 40').waitFor()
    await waitUntilInSight(page.getByRole('log').getByRole('listitem').last())
    const words = `${role} ${width} ${Date.now()}`
    await writeMessages(`Received ${words}`)
    await waitUntilInSight(findMessage(page, `Received ${words}`))
    await page.getByRole('textbox').fill(`Sent ${words}`)
    await page.getByRole('textbox').press('Enter')
    await waitUntilInSight(findMessage(page, `Sent ${words}`))
    expect(await findCovered(page.locator('form :is(input, button)'))).toEqual([])
    // A phone's keyboard takes about half of the height, and gives it back.
    for (const left of [Math.round(height * 0.55), height]) {
      await page.setViewportSize({ width, height: left })
      await waitUntilInSight(page.getByRole('log').getByRole('listitem').last())
    }
    expect(errors).toEqual([])
    await context.close()
  })
})
