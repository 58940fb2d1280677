import * as v from 'valibot'
import { expect, test } from 'vitest'
import { aRequest } from './testing/builders'
import { advanceBooking, createBooking, saveUser, sendNotification } from './api'

test.each([
  ['https://files.example/pickup.jpg', true],
  ['http://127.0.0.1:9199/v0/b/demo/o/pickup?alt=media', true],
  ['javascript:alert(1)', false],
  ['data:text/html,<script>alert(1)</script>', false],
  ['//files.example/pickup.jpg', false],
  ['https://files.example/a b', false],
  ['', false],
])('a proof’s picture %s is a web address: %s', (pickup_image, good) => {
  const start = { booking_id: 'b1', event: 'start', pickup_image }
  expect(v.safeParse(advanceBooking, start).success).toBe(good)
})

test.each([
  ['https://files.example/me.jpg', true],
  ['javascript:alert(1)', false],
  ['https://files.example/a b', false],
  ['', false],
])('a portrait or a licence at %s is a picture the database takes: %s', (link, good) => {
  for (const field of ['profile_image', 'licenseImage'])
    expect(v.safeParse(saveUser, { id: 'u1', [field]: link }).success).toBe(good)
})

test.each([
  ['driver', true],
  ['a.b', false],
  ['a/b', false],
  ['$a', false],
  ['', false],
])('a text’s parameter may be called %j: %s', (name, good) => {
  const push = { token: 't', title: 'x', msg: 'y', params: { [name]: 1 } }
  expect(v.safeParse(sendNotification, push).success).toBe(good)
})

test('nobody books for a time the database does not know', () => {
  const later = aRequest({ bookLater: true, tripdate: 1e15 })
  expect(v.safeParse(createBooking, later).success).toBe(false)
})
