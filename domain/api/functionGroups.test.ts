import { expect, it } from 'vitest'
import { getDeployedFunction, getDeployedPath } from './functionGroups'

it.each([
  ['create_booking', 'create_booking'],
  ['advance_booking', 'advance_booking'],
  ['setup', 'setup'],
  ['track', 'api/track'],
  ['health', 'api/health'],
  ['save_user', 'api/save_user'],
  ['googleapis-getcoords', 'maps/googleapis-getcoords'],
  ['import_people', 'api/import_people'],
  ['import_bookings', 'maps/import_bookings'],
  ['pay_stripe', 'payments/pay_stripe'],
  ['payment_return', 'payments/payment_return'],
  ['payment_webhook', 'payments/payment_webhook'],
  ['message_webhook', 'payments/message_webhook'],
  ['start_payment', 'payments/start_payment'],
])('serves %s of a deployed project at %s', (endpoint, path) => {
  expect(getDeployedPath(endpoint)).toBe(path)
  expect(getDeployedFunction(endpoint)).toBe(path.split('/')[0])
})
