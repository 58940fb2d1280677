import { expect, test } from 'vitest'
import { aBooking, MINUTE, NOON } from '../testing/builders'
import { applyCreation } from '../testing/creation'
import { CONTACT_WINDOW_MS, isContactOpen, getReadableContacts } from './contactAccess'
import { STATUSES, type Booking } from './types'

const ID = '-OAbcdefghijklmnopqr'
const END = NOON + 20 * MINUTE
const cancelledAt = (at: number, more: Partial<Booking> = {}) =>
  aBooking({ status: 'CANCELLED', cancelled_at: at, driver: 'driver', ...more })

test.each(STATUSES)(
  'lets the driver of a booking that is %s contact the rider as the table says',
  (status) => {
    const booking = status === 'CANCELLED' ? cancelledAt(END) : aBooking({ status })
    const isWithDriver = !['PAYMENT_PENDING', 'NEW'].includes(status)
    const hasEnded = ['REACHED', 'PENDING', 'PAID', 'COMPLETE', 'CANCELLED'].includes(status)
    expect(isContactOpen(booking, END)).toBe(isWithDriver)
    expect(isContactOpen(booking, END + CONTACT_WINDOW_MS - 1)).toBe(isWithDriver)
    // Unpaid and unrated bookings do not keep contact open.
    expect(isContactOpen(booking, END + CONTACT_WINDOW_MS)).toBe(isWithDriver && !hasEnded)
  },
)

test('never opens contact for a booking canceled before a driver accepted it', () => {
  const booking = cancelledAt(END)
  delete booking.driver
  expect(isContactOpen(booking, END)).toBe(false)
})

test('closes contact when the booking has no end time', () => {
  const booking = aBooking({ status: 'PENDING' })
  delete booking.endTime
  expect(isContactOpen(booking, END)).toBe(false)
})

const reads = (id: string, usertype: 'rider' | 'driver' | 'fleetadmin' | 'admin', now: number) =>
  getReadableContacts(aBooking({ status: 'COMPLETE', fleetadmin: 'fleet' }), { id, usertype }, now)

test('closes contact between driver and rider one hour after the end, but not for the back office', () => {
  const late = END + CONTACT_WINDOW_MS
  expect(reads('driver', 'driver', late - 1)).toContain('customer_contact')
  expect(reads('driver', 'driver', late)).toEqual([])
  expect(reads('rider', 'rider', late - 1)).toContain('driver_contact')
  expect(reads('rider', 'rider', late)).toEqual([
    'customer_contact',
    'customer_email',
    'deliveryPersonPhone',
    'pickUpInstructions',
    'deliveryInstructions',
  ])
  expect(reads('fleet', 'fleetadmin', late)).toContain('customer_contact')
  expect(reads('otherFleet', 'fleetadmin', late - 1)).toEqual([])
  expect(reads('admin', 'admin', late)).toContain('customer_contact')
})

test.each(STATUSES)(
  'shows the instructions of a booking that is %s to its driver only while they are on the way',
  (status) => {
    const booking = aBooking({ status, fleetadmin: 'fleet' })
    const read = (id: string, usertype: 'rider' | 'driver' | 'fleetadmin' | 'admin') =>
      getReadableContacts(booking, { id, usertype }, END).includes('pickUpInstructions')
    expect(read('driver', 'driver')).toBe(['ACCEPTED', 'ARRIVED', 'STARTED'].includes(status))
    expect(read('fleet', 'fleetadmin')).toBe(false)
    expect(read('rider', 'rider')).toBe(true)
    expect(read('admin', 'admin')).toBe(true)
  },
)

test('hides contacts from a driver who only has an offer', () => {
  const asked = aBooking({ requestedDrivers: { driver: true } })
  expect(getReadableContacts(asked, { id: 'driver', usertype: 'driver' }, NOON)).toEqual([])
})

test('stores contacts apart from a new booking', () => {
  const result = applyCreation({ deliveryInstructions: 'Code 4711' })
  const updates = result.ok ? result.value.updates : {}
  expect(updates[`booking_contacts/${ID}`]).toEqual({
    customer_contact: '+15555550199',
    customer_email: 'rider@kerbside.example',
    deliveryPersonPhone: '099 123 456',
    deliveryInstructions: 'Code 4711',
  })
  expect(JSON.stringify(updates[`bookings/${ID}`])).not.toMatch(/5550199|rider@|099 123|4711/)
})
