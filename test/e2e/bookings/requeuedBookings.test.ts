import { afterAll, beforeAll, expect, test } from 'vitest'
import { readInterfaceTexts } from '~/scripts/database/interfaceTexts'
import { waitForStep } from '../../support/bookingPage'
import {
  type DriverSetup,
  openDriverSetup,
  PHONE,
  pollUntil,
  pressButton,
} from '../../support/driverSetup'
import type { Booking } from '~/domain/booking/types'

const texts = readInterfaceTexts().en!
let setup: DriverSetup
let before: boolean | null
beforeAll(async () => {
  setup = await openDriverSetup()
  before = await setup.platform.read<boolean>('settings/requeueDeclined')
  await setup.platform.write({ 'settings/requeueDeclined': true })
})
afterAll(async () => {
  await setup.platform.write({ 'settings/requeueDeclined': before })
  await setup.close()
})

test('a booking whose driver declines, and whose next driver has a puncture, keeps looking until a third one takes it', async () => {
  const { booking_id, driver } = await setup.request()
  const [second, third] = [await setup.createDriver(), await setup.createDriver()]
  const readBooking = async () => (await setup.platform.read<Booking>(`bookings/${booking_id}`))!
  const assign = (uid: string) =>
    setup.office.call('advance_booking', { booking_id, event: 'assign', driver: uid })
  const { customer, reference = '' } = await readBooking()
  const [rider, firstPhone, office] = await Promise.all([
    setup.browser.openAs(customer, `/bookings/${booking_id}`, PHONE),
    setup.openDriverPhone(driver),
    setup.browser.openAs('seed-admin', '/board'),
  ])
  await waitForStep(rider.page, 'Looking for a driver')
  const row = office.page
    .getByRole('listbox', { name: texts.unassigned ?? '', exact: true })
    .getByRole('option')
    .filter({ hasText: reference })

  await pressButton(firstPhone.page, texts.decline ?? '')
  await row.getByText(texts.board_not_asked ?? '').waitFor()
  expect(await readBooking()).toMatchObject({ status: 'NEW' })
  await waitForStep(rider.page, 'Looking for a driver')

  await assign(second)
  const secondPhone = await setup.openDriverPhone(second)
  await pressButton(secondPhone.page, 'Accept')
  await waitForStep(rider.page, texts.status_ACCEPTED ?? '')
  await pressButton(secondPhone.page, texts.give_up ?? '')
  const dialog = secondPhone.page.getByRole('dialog')
  await dialog.getByRole('radio').first().check()
  await dialog.getByRole('button', { name: texts.give_up ?? '' }).click()
  await waitForStep(rider.page, 'Looking for a driver')
  await rider.page
    .getByText(texts.released_office ?? '')
    .first()
    .waitFor()
  await row.getByText(texts.board_not_asked ?? '').waitFor()
  // The driver is free for the next booking.
  await pollUntil(() => setup.platform.read(`users/${second}/queue`)).not.toBe(true)

  await assign(third)
  const thirdPhone = await setup.openDriverPhone(third)
  await pressButton(thirdPhone.page, 'Accept')
  await waitForStep(rider.page, texts.status_ACCEPTED ?? '')
  expect(await readBooking()).toMatchObject({ status: 'ACCEPTED', driver: third })
  for (const { errors } of [rider, firstPhone, secondPhone, thirdPhone, office])
    expect(errors).toEqual([])
})
