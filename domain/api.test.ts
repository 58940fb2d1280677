import * as v from 'valibot'
import { expect, test } from 'vitest'
import { advanceBooking } from './api'

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
