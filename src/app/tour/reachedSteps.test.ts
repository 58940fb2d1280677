import { expect, test } from 'vitest'
import { getReachedSteps } from './reachedSteps'
import type { Status } from '~/domain/booking/types'

const NOWHERE = { isOnDuty: false, isOnBoard: false, isOnBookings: false }
const at = (status: Status, requestedDrivers?: Record<string, true>) => [
  { status, ...(requestedDrivers && { requestedDrivers }) },
]

test('has reached no step before the first booking', () => {
  for (const role of ['book', 'drive', 'dispatch'] as const)
    expect(getReachedSteps(role, [], NOWHERE)).toEqual([])
})

test('follows a rider’s booking from the order to the rating', () => {
  expect(getReachedSteps('book', at('PAYMENT_PENDING'), NOWHERE)).toEqual(['places'])
  expect(getReachedSteps('book', at('NEW'), NOWHERE)).toEqual(['places', 'order'])
  expect(getReachedSteps('book', at('ARRIVED'), NOWHERE)).toEqual(['places', 'order', 'follow'])
  expect(getReachedSteps('book', at('COMPLETE'), NOWHERE)).toEqual([
    'places',
    'order',
    'follow',
    'rate',
  ])
})

test('follows a driver from the start of the duty to the cash', () => {
  const onDuty = { ...NOWHERE, isOnDuty: true }
  expect(getReachedSteps('drive', at('NEW'), onDuty)).toEqual(['duty'])
  expect(getReachedSteps('drive', at('ACCEPTED'), onDuty)).toEqual(['duty', 'accept'])
  expect(getReachedSteps('drive', at('PENDING'), onDuty)).toEqual(['duty', 'accept', 'start'])
  expect(getReachedSteps('drive', at('PAID'), onDuty)).toEqual([
    'duty',
    'accept',
    'start',
    'finish',
  ])
})

test('follows a dispatcher from the board to the price in the list of bookings', () => {
  const onBoard = { ...NOWHERE, isOnBoard: true }
  expect(getReachedSteps('dispatch', at('NEW'), onBoard)).toEqual(['board'])
  expect(getReachedSteps('dispatch', at('NEW', { dario: true }), onBoard)).toEqual([
    'board',
    'offer',
  ])
  expect(getReachedSteps('dispatch', at('PAID'), onBoard)).toEqual(['board', 'offer', 'watch'])
  expect(getReachedSteps('dispatch', at('PAID'), { ...NOWHERE, isOnBookings: true })).toEqual([
    'offer',
    'watch',
    'price',
  ])
})

test('does not count a canceled booking as driven', () => {
  expect(getReachedSteps('book', at('CANCELLED'), NOWHERE)).toEqual([])
})
