import { describe, expect, test } from 'vitest'
import { BOOKING_COLUMNS, getBookingColumns } from './shownColumns'
import { USER_TYPES, type UserType } from '~/domain/access/types'

describe('the bookings table', () => {
  const columns = (usertype: UserType, appcat: 'taxi' | 'delivery' = 'delivery') =>
    getBookingColumns(usertype, { appcat })
  test('hides driver share and convenience fee from riders', () => {
    for (const column of ['driver_share', 'convenience_fees'] as const) {
      expect(columns('rider')).not.toContain(column)
      for (const usertype of ['driver', 'admin', 'fleetadmin'] as const)
        expect(columns(usertype)).toContain(column)
    }
  })
  test('shows delivery columns only in the delivery category', () => {
    expect(columns('admin')).toEqual(Object.keys(BOOKING_COLUMNS))
    for (const column of ['deliveryPerson', 'parcelTypeSelected', 'deliver_image'] as const)
      expect(columns('admin', 'taxi')).not.toContain(column)
  })
  test('shows the code to those who may see it', () => {
    expect(USER_TYPES.filter((usertype) => columns(usertype).includes('otp'))).toEqual([
      'rider',
      'admin',
    ])
  })
})
