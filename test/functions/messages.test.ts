import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toMessageSettingsForm, type MessageSettingsForm } from '~/domain/forms/messageForms'
import type { LocalMessage, LocalOutgoing } from '~/functions/src/ports/localMessages'
import type { TestClient } from '../support/testClients'
import { advanceBooking, openTestPlatform, type TestPlatform } from './testPlatform'
import { getSuite } from '../support/testSuite'

/** Time for a trigger to start and send, ms. */
const TIMEOUT_MS = 60_000
let platform: TestPlatform
let admin: TestClient
let carType: string

beforeAll(async () => {
  platform = openTestPlatform()
  admin = await platform.signInAs('seed-admin')
  carType = (await platform.read<string>('users/seed-driver/carType')) ?? ''
})
afterAll(() => platform.close())

const fetchFrom = (path: string) => fetch(`${getSuite().urls.functions}/${path}`)
/** Returns the messages to a person outside the platform, oldest first. */
const readOutgoing = async (to: string): Promise<LocalOutgoing[]> => {
  const all = (await (await fetchFrom('local_messages?format=json')).json()) as (
    LocalMessage | LocalOutgoing
  )[]
  return all.filter((one): one is LocalOutgoing => 'channel' in one && one.to === to)
}
const waitForText = async (to: string, part: string): Promise<string> => {
  await expect
    .poll(async () => (await readOutgoing(to)).map(({ text }) => text).join('\n'), {
      timeout: TIMEOUT_MS,
    })
    .toContain(part)
  return (await readOutgoing(to)).find(({ text }) => text.includes(part))?.text ?? ''
}
const parseLinkToken = (text: string) => /\/track\/([\w-]+)/.exec(text)?.[1] ?? ''

let trips = Date.now() % 9000
/** Returns a rider's number and one of a recipient, which no other test uses. */
const createNumbers = () => {
  const digits = String((trips += 1)).padStart(4, '0')
  return { mobile: `+1415555${digits}`, recipient: `09412${digits}` }
}
const createTrip = async () => {
  const { mobile, recipient } = createNumbers()
  const email = `receipt-${recipient}@example.com`
  const [customer = ''] = await platform.createUsers(1, { mobile, email, firstName: 'Ana' })
  const [uid = ''] = await platform.createUsers(1, {
    usertype: 'driver',
    carType,
    vehicleNumber: 'SAB 7',
  })
  const driver = await platform.signInAs(uid)
  const { booking_id } = await platform.createBooking(admin, {
    customer,
    deliveryPersonPhone: recipient,
  })
  await advanceBooking(admin, booking_id, 'assign', { driver: uid })
  return { mobile, email, recipient: `+598${recipient.slice(1)}`, booking_id, driver, customer }
}

describe('messages to people outside the platform', () => {
  it('let the recipient of a booking follow it from an SMS in the local inbox', async () => {
    const { recipient, booking_id, driver } = await createTrip()
    expect(await readOutgoing(recipient)).toEqual([])
    await advanceBooking(driver, booking_id, 'accept')
    const text = await waitForText(recipient, 'Ana')
    const token = parseLinkToken(text)
    expect(text).toContain(`${getSuite().urls.web}/track/${token}`)
    const shown = await fetchFrom(`track?token=${token}`)
    expect(await shown.json()).toMatchObject({ status: 'ACCEPTED', driver: { vehicle: 'SAB 7' } })
    const page = await (await fetchFrom('local_messages')).text()
    expect(page).toContain(`SMS to ${recipient}`)
    expect(page).toContain(`<a href="${getSuite().urls.web}/track/${token}">`)

    await advanceBooking(admin, booking_id, 'cancel', {
      reason: await readCancellationReason(),
    })
    await waitForText(recipient, 'not coming')
    expect(await readOutgoing(recipient)).toHaveLength(2)
  })

  it('reach a guest without a device by SMS, and send the receipt by e-mail', async () => {
    const { mobile, email, booking_id, driver } = await createTrip()
    await waitForText(mobile, 'We are looking for a driver')
    await advanceBooking(driver, booking_id, 'accept')
    const link = await waitForText(mobile, 'SAB 7')
    expect(parseLinkToken(link)).not.toBe('')
    const { lat, lng } = await platform.getPickup()
    await advanceBooking(driver, booking_id, 'arrive', { lat, lng })
    await waitForText(mobile, 'waiting at the pickup')

    const otp = await platform.read<number>(`booking_otps/${booking_id}`)
    await advanceBooking(driver, booking_id, 'start', { otp })
    await advanceBooking(driver, booking_id, 'reach', { lat: lat + 0.02, lng: lng + 0.01 })
    await advanceBooking(driver, booking_id, 'finish')
    await advanceBooking(driver, booking_id, 'collect')
    const reference = (await platform.read<string>(`bookings/${booking_id}/reference`)) ?? ''
    const receipt = await waitForText(email, reference)
    expect(receipt).toContain('Base fare')
    expect(receipt).toContain('Total')
    expect(await readOutgoing(mobile)).toHaveLength(3)
    expect(await readOutgoing(email)).toMatchObject([
      { pictures: [{ name: 'route.png', png: expect.stringMatching(/^iVBOR/) as string }] },
    ])
    const page = await (await fetchFrom('local_messages')).text()
    expect(page).toContain('<img src="data:image/png;base64,iVBOR')
  })

  it('leave no address and no text in the database', async () => {
    const { mobile, recipient, booking_id, driver } = await createTrip()
    await advanceBooking(driver, booking_id, 'accept')
    await waitForText(recipient, 'Ana')
    await expect
      .poll(
        () => platform.read(`internal/outbox/${booking_id}-3-parcel_sent-recipient-sms/state`),
        {
          timeout: TIMEOUT_MS,
        },
      )
      .toBe('sent')
    const stored = await platform.read(`internal/outbox/${booking_id}-3-parcel_sent-recipient-sms`)
    for (const word of [mobile, recipient, 'Ana', 'track'])
      expect(JSON.stringify(stored)).not.toContain(word)
  })
})

describe('the office', () => {
  it('sees the price of each message on the booking and in the total of the month', async () => {
    const read = () => admin.call('message_settings', {})
    const { settings, total } = await read()
    const before = toMessageSettingsForm(settings)
    const save = async (form: MessageSettingsForm) =>
      admin.call('save_message_settings', {
        settings: form,
        revision: (await read()).settings.revision,
      })
    await save({ ...before, price: { ...before.price, sms: 0.05 } })
    const { mobile, booking_id } = await createTrip()
    const findSent = async () => {
      const { rows } = await admin.call('booking_messages', { booking_id })
      return rows.find(({ event, state }) => event === 'booked' && state === 'sent')
    }
    await expect.poll(findSent, { timeout: TIMEOUT_MS }).toMatchObject({
      channel: 'sms',
      price: 0.05,
      to: `…${mobile.slice(-2)}`,
    })
    const after = (await read()).total
    expect(after.sms ?? 0).toBeGreaterThan(total.sms ?? 0)
    expect(after.micros ?? 0).toBeGreaterThanOrEqual((total.micros ?? 0) + 50_000)
    // The revision counts each change, so no charge replaced another one.
    expect(after.revision - total.revision).toBeGreaterThanOrEqual(
      (after.sms ?? 0) + (after.email ?? 0) - (total.sms ?? 0) - (total.email ?? 0),
    )
    await save(before)
  })
})

const readCancellationReason = async () => {
  const [reason] = Object.values(
    (await platform.read<Record<string, { label: string }>>('cancel_reason')) ?? {},
  )
  return reason?.label ?? ''
}
