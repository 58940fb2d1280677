import { expect, test } from 'vitest'
import { getMenu } from './menu'

test('shows only the permitted pages in the menu', () => {
  expect(getMenu('rider')).toEqual(['/bookings', '/recurring', '/', '/profile'])
  expect(getMenu('driver')).toEqual(['/bookings', '/', '/profile'])
  expect(getMenu('fleetadmin')).toEqual([
    '/board',
    '/dashboard',
    '/bookings',
    '/drivers',
    '/driverearning',
    '/',
    '/profile',
  ])
  expect(getMenu('admin')).toEqual([
    '/board',
    '/dashboard',
    '/bookings',
    '/addbookings',
    '/recurring',
    '/riders',
    '/drivers',
    '/fleetadmins',
    '/alladmin',
    '/earningreports',
    '/driverearning',
    '/addtowallet',
    '/withdraws',
    '/payments',
    '/promos',
    '/appinfo',
    '/settings',
    '/languagesetting',
    '/cartypes',
    '/cancelreasons',
    '/messages',
    '/notifications',
    '/audit',
    '/',
    '/profile',
  ])
})
