import * as v from 'valibot'
import { expect, test } from 'vitest'
import { aBookingRequest } from '../../testing/builders'
import { createBookingSchema } from './bookings'
import { saveUserSchema } from './people'
import { sendNotificationSchema } from './messages'
import { advanceBookingSchema } from '../../booking/events/inputs'

test.each([
  ['https://files.example/pickup.jpg', true],
  ['http://127.0.0.1:9199/v0/b/demo/o/pickup?alt=media', true],
  ['javascript:alert(1)', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['//files.example/pickup.jpg', false],
  ['https://files.example/a b', false],
  ['', false],
])('checks whether the picture %s is a web address: %s', (pickup_image, good) => {
  const start = { booking_id: 'b1', event: 'start', pickup_image }
  expect(v.safeParse(advanceBookingSchema, start).success).toBe(good)
})

test.each([
  ['https://files.example/me.jpg', true],
  ['javascript:alert(1)', false],
  ['https://files.example/a b', false],
  ['', false],
])('checks whether a portrait or a license at %s is accepted: %s', (link, good) => {
  for (const field of ['profile_image', 'licenseImage'])
    expect(v.safeParse(saveUserSchema, { id: 'u1', [field]: link }).success).toBe(good)
})

test.each([
  ['driver', true],
  ['a.b', false],
  ['a/b', false],
  ['$a', false],
  ['', false],
])('checks the name %j of a text’s parameter: %s', (name, good) => {
  const push = { token: 't', title: 'x', msg: 'y', params: { [name]: 1 } }
  expect(v.safeParse(sendNotificationSchema, push).success).toBe(good)
})

test('refuses a booking time that the database cannot store', () => {
  const later = aBookingRequest({ bookLater: true, tripdate: 1e15 })
  expect(v.safeParse(createBookingSchema, later).success).toBe(false)
})
