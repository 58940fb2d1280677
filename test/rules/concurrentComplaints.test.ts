import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import { sumAmounts } from '~/domain/money/money'
import { createPushKey } from '~/domain/data/pushKeys'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aBooking, aCardPacket, aDriver, aRider, aSettings } from '~/domain/testing/builders'
import { toSignedAmount } from '~/domain/money/wallet'
import { add_booking_note } from '~/functions/src/endpoints/bookings/addBookingNote'
import { advance_booking } from '~/functions/src/endpoints/bookings/advanceBooking'
import { send_receipt } from '~/functions/src/endpoints/bookings/sendReceipt'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { createTestPorts, createUserContext } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { systemClock } from '~/functions/src/adapters/node/systemClock'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const RUNS = 50
const countRows = async (path: string) => Object.keys((await database.read(path)) ?? {}).length

/** Completes a booking of 43.13; returns functions of the office and of the rider about it. */
const completeBooking = async () => {
  const users = {
    rider: aRider({
      walletBalance: 45,
      walletHistory: { start: { type: 'Credit', amount: 45, date: 1, txRef: 'AdminCredit' } },
    }),
    driver: aDriver(),
    admin: aRider({ id: 'admin', usertype: 'admin' }),
  }
  const booking = aBooking({
    id: 'b1',
    status: 'COMPLETE',
    usedWalletMoney: 43.13,
    paymentPacket: aCardPacket({
      payment_mode: 'wallet',
      cardPaymentAmount: 0,
      usedWalletMoney: 43.13,
    }),
    paid_at: Date.now(),
  })
  await database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings: aSettings(),
      users,
      roles: getRoles(users),
      people: toDirectory(users),
      bookings: { b1: booking },
    }),
  )
  const now = Date.now()
  const ports = createTestPorts({ db: createFirebaseDatabase(), clock: systemClock })
  const context = { ...createUserContext('admin', 'admin', ports), now }
  return {
    compensate: (n: number, amounts: object) =>
      advance_booking.handle(
        {
          ...{ booking_id: 'b1', event: 'compensate', reason: 'late' },
          request_id: createPushKey(now, n),
          ...amounts,
        },
        context,
      ),
    note: (n: number) =>
      add_booking_note.handle(
        { booking_id: 'b1', note_id: createPushKey(now, n), text: 'Called' },
        context,
      ),
    tip: (n: number, amount: number) =>
      advance_booking.handle(
        { booking_id: 'b1', event: 'tip', request_id: createPushKey(now, n), amount },
        { ...createUserContext('rider', 'rider', ports), now },
      ),
    sendReceipt: (n: number) =>
      send_receipt.handle({ booking_id: 'b1', request_id: createPushKey(now, n) }, context),
  }
}

const readBalance = async (uid: string) => {
  const { walletBalance, walletHistory = {} } = (await database.read(`users/${uid}`)) as User
  expect(walletBalance).toBe(sumAmounts(Object.values(walletHistory).map(toSignedAmount), 2))
  return walletBalance
}

test('fifty complaints at once give at most what was paid and take at most what was earned', async () => {
  const { compensate } = await completeBooking()
  const settled = await Promise.allSettled(
    Array.from({ length: RUNS }, (_, n) => compensate(n, { rider: 10, take_back: 10 })),
  )
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  expect([await readBalance('rider'), await readBalance('driver')]).toEqual([75, -30])
  const { adjustments = {}, revision } = (await database.read('bookings/b1')) as Booking
  expect([Object.keys(adjustments).length, revision]).toEqual([3, 4])
})

test('one complaint, note or receipt that arrives fifty times counts once', async () => {
  const { compensate, note, sendReceipt } = await completeBooking()
  await Promise.all(Array.from({ length: RUNS }, () => compensate(1, { rider: 10 })))
  await Promise.all(Array.from({ length: RUNS }, () => note(1)))
  await Promise.all(Array.from({ length: RUNS }, () => sendReceipt(1)))
  expect(await readBalance('rider')).toBe(55)
  expect(await countRows('booking_notes/b1')).toBe(1)
  expect(await countRows('internal/outbox')).toBe(1)
})

test('fifty tips at once give at most what the wallet has, and one that arrives fifty times counts once', async () => {
  const { tip } = await completeBooking()
  await Promise.all(Array.from({ length: RUNS }, () => tip(1, 5)))
  expect([await readBalance('rider'), await readBalance('driver')]).toEqual([40, 5])
  const given = await Promise.allSettled(Array.from({ length: RUNS }, (_, n) => tip(n + 2, 15)))
  expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  expect([await readBalance('rider'), await readBalance('driver')]).toEqual([10, 35])
})
