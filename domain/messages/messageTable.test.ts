import { expect, expectTypeOf, test } from 'vitest'
import { PUSH_PARAMS, toPushText } from '../booking/pushMessages'
import {
  buildNotification,
  findMessageRow,
  MESSAGE_TABLE,
  type AudienceOf,
  type InAppEvent,
} from './messageTable'

test('has a row for every message that has texts, and no other', () => {
  expect(Object.keys(MESSAGE_TABLE).sort()).toEqual(Object.keys(PUSH_PARAMS).sort())
  for (const rows of Object.values(MESSAGE_TABLE)) expect(Object.keys(rows)).not.toEqual([])
})

test('sends an SMS with the link to riders and guests without a device when a driver is assigned', () => {
  for (const audience of ['rider', 'guest'])
    expect(findMessageRow('accepted', audience)).toMatchObject({ sms: 'fallback', hasLink: true })
  expect(findMessageRow('arrived', 'rider')).toMatchObject({ sms: 'fallback' })
})

test('sends nothing outside the platform to drivers', () => {
  const rows = Object.keys(MESSAGE_TABLE).flatMap((event) => findMessageRow(event, 'driver') ?? [])
  expect(rows).not.toEqual([])
  expect(rows.filter(({ sms, email }) => sms ?? email)).toEqual([])
})

test('finds no row for an unknown message or another audience', () => {
  expect(findMessageRow('toString', 'rider')).toBeUndefined()
  expect(findMessageRow('task', 'rider')).toBeUndefined()
})

test('opens the screen of the audience', () => {
  expect(buildNotification('refunded', 'account')).toEqual({
    ...toPushText('refunded'),
    screen: 'Wallet',
  })
  expect(buildNotification('refunded', 'rider').screen).toBe('BookedCab')
})

test('accepts only messages and audiences of the table', () => {
  expectTypeOf<AudienceOf<'task'>>().toEqualTypeOf<'driver'>()
  expectTypeOf<'parcel_sent'>().not.toExtend<InAppEvent>()
})
