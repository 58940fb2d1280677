import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '~/scripts/local/build'
import { screenPaths } from '~/src/store/screenPaths'
import {
  createImportReader,
  createPageFinder,
  measureDistances,
  measureTouchedPages,
  parsePageList,
  selectTouchedScreens,
} from './touchedScreens'

const findPage = createPageFinder()
const readImports = createImportReader()
const screen = (name: string, path: string) => ({ name, path })

test('finds the page of a screen in the area of its user', () => {
  const path = `${screenPaths.bookings}?tab=past`
  const pages = ['rider/bookings', 'driver/bookings', 'admin/bookings', 'fleetadmin/bookings'].map(
    (name) => findPage(screen(name, path)),
  )
  expect(pages).toEqual([
    'src/site/bookings/BookingsPage.tsx',
    'src/driver/bookings/DriverBookingsPage.tsx',
    'src/office/bookings/BookingsPage.tsx',
    'src/office/bookings/BookingsPage.tsx',
  ])
  expect(findPage(screen('admin/wallet', screenPaths.wallet))).toBe(
    'src/driver/earnings/WalletPage.tsx',
  )
  expect(findPage(screen('visitor/home', screenPaths.home))).toBe('src/app/App.tsx')
})

test('reads pages with a parameter, on the next line, and of a shared import', () => {
  const list = `
    const importPeoplePages = () => import('./people/PeoplePage')
    [screenPaths.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
    [screenPaths.addBooking]: () =>
      import('./addBooking/AddBookingPage').then((m) => m.AddBookingPage),
    [screenPaths.riders]: () => importPeoplePages().then((m) => m.RidersPage),`
  expect([...parsePageList(list, 'src/office')]).toEqual([
    [screenPaths.booking(':id'), 'src/office/bookings/BookingPage.tsx'],
    [screenPaths.addBooking, 'src/office/addBooking/AddBookingPage.tsx'],
    [screenPaths.riders, 'src/office/people/PeoplePage.tsx'],
  ])
})

test.each(Object.entries(screenPaths))('the page of the screen “%s” exists', (_, path) => {
  const pattern = typeof path === 'string' ? path : path('one')
  const pages = ['admin/', 'driver/', 'rider/'].map((name) => findPage(screen(name, pattern)))
  expect(pages.filter((page) => !existsSync(join(ROOT, page)))).toEqual([])
})

test('selects the screens whose page imports a changed file, the nearest first', () => {
  const imports: Record<string, string[]> = {
    board: ['card'],
    list: ['row', 'lazy'],
    row: ['card'],
    lazy: ['map'],
    home: [],
  }
  const screens = ['home', 'list', 'board'].map((name) => screen(name, `/${name}`))
  const select = (...changed: string[]) => {
    const pages = screens.map(({ name }) => name)
    const touchedPages = measureTouchedPages(pages, changed, (file) => imports[file] ?? [])
    return selectTouchedScreens(screens, touchedPages, ({ name }) => name).map(({ name }) => name)
  }
  expect(select('card')).toEqual(['board', 'list'])
  expect(select('map')).toEqual(['list'])
  expect(select('home', 'other')).toEqual(['home'])
  expect(select('docs/product.md')).toEqual([])
})

test('follows styles and imports on demand, and ends at the lists of pages', () => {
  const distances = measureDistances('src/driver/console/TripsPage.tsx', readImports)
  expect(distances.has('src/widgets/OfficeMessageDialog.module.css')).toBe(true)
  const fromStart = measureDistances('src/app/App.tsx', readImports)
  expect(fromStart.has('src/site/home/HomePage.tsx')).toBe(true)
  expect(fromStart.has('src/office/pages.ts')).toBe(true)
  expect(fromStart.has('src/office/board/BoardPage.tsx')).toBe(false)
})
