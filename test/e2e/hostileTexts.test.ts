import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import type { Locator, Page } from 'playwright-core'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import shared from '~/src/i18n/locales/en/shared.json'
import site from '~/src/i18n/locales/en/site.json'
import {
  PLAIN_FILE,
  navigateWithin,
  openPanel,
  waitUntilLoaded,
  openTestBrowser,
  type Screen,
  type TestBrowser,
} from '../support/testBrowser'
import { getSuite } from '../support/testSuite'
import type { Booking } from '~/domain/booking/types'

/** Part of every hostile text, to prove that a screen shows one. */
const HOSTILE_MARK = 'zzx'
const RUN_MARK = `window.__xss='${HOSTILE_MARK}'`
/**
 * Texts for every known kind of injection. The text direction is restored, because the rest of the
 * line would otherwise flip.
 */
const HOSTILE_TEXT = [
  `<img src=x onerror="${RUN_MARK}">`,
  `"><script>${RUN_MARK}</script>`,
  `';${RUN_MARK};//`,
  `{{constructor.constructor("${RUN_MARK}")()}}`,
  '$t(menu_home) {{name}}',
  `<svg/onload=${RUN_MARK}>`,
  `javascript:${RUN_MARK}`,
  '\u202egpj.exe\u202c \u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd',
  'W'.repeat(40),
].join(' ')
const LINK_FIELDS = [
  `javascript:${RUN_MARK}`,
  `JaVaScRiPt:${RUN_MARK}`,
  `https://none.invalid/${HOSTILE_MARK}" onerror="${RUN_MARK}`,
  `/images/none.webp?${HOSTILE_MARK}') ; background: url(https://none.invalid/`,
]
const LINK_PATTERN =
  /^(image|profile_image|licenseImage|carImage|customer_image|driver_image|pickup_image|deliver_image|FacebookHandle|TwitterHandle|InstagramHandle|AppleStoreLink|PlayStoreLink|CompanyWebsite|CompanyTerms)$/
const TEXT_PATTERN =
  /^(firstName|lastName|email|mobile|bankName|bankCode|bankAccount|vehicleMake|vehicleModel|vehicleNumber|other_info|description|extra_info|label|promo_name|promo_description|title|body|msg|message|add|pickupAddress|dropAddress|customer_name|customer_email|customer_contact|driver_name|driver_contact|vehicle_number|deliveryPerson|deliveryPersonPhone|pickUpInstructions|deliveryInstructions|reason|cause|appName|CompanyName|contact_email|country|panic|langName|txRef|name|driverName|driverVehicleNo|action|cancelledBy)$/
/** Paths with words of the program, not of people; for example, keys name the lines of a fare. */
const OWN_TEXT_PATTERN = /\/fare_history\/|^stats\/|\/event_log\//

let next = 0
/** Returns the same tree with a hostile text in every field that people fill in. */
const addHostileTexts = (value: DatabaseValue, path = ''): DatabaseValue => {
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        addHostileTexts(child, path === '' ? key : `${path}/${key}`),
      ]),
    )
  const name = path.split('/').at(-1) ?? ''
  if (typeof value !== 'string' || OWN_TEXT_PATTERN.test(path)) return value
  if (path.includes('/keyValuePairs/')) return value
  if (name === 'symbol') return `<b>${HOSTILE_MARK}</b>`
  if (LINK_PATTERN.test(name)) return LINK_FIELDS[(next += 1) % LINK_FIELDS.length] ?? ''
  // In a booking, `carType` is the vehicle type's name; in a driver's record, it is an id.
  const isText = TEXT_PATTERN.test(name) || (name === 'carType' && path.startsWith('bookings/'))
  return isText ? HOSTILE_TEXT : value
}

const BOOKING = '-Pzss000000000000000'
/** More bookings: one without a driver, one unpaid and one completed. */
const [OPEN, OWED, DONE] = ['-Pzss000000000000001', '-Pzss000000000000002', '-Pzss000000000000003']
const SHARE = 'hostile-share'
const PEOPLE = ['seed-rider', 'seed-driver', 'seed-fleetadmin', 'seed-admin'] as const
type Branch = Record<string, DatabaseValue>
type Tree = Record<string, Branch>

/**
 * Returns the tree with every text field that people can fill in and the demo city leaves empty.
 */
const addMissingTexts = (tree: Tree, now: number): Tree => {
  const { users = {}, bookings = {}, chats, inbox, shares, settings } = tree
  const person = {
    profile_image: 'x',
    bankName: 'x',
    bankCode: 'x',
    bankAccount: 'x',
    savedAddresses: { a: { lat: -34.9, lng: -56.19, description: 'x', count: 3 } },
  }
  const vehicle = { vehicleMake: 'x', vehicleModel: 'x', other_info: 'x', licenseImage: 'x' }
  const like = (Object.values(bookings) as unknown as Booking[]).find(
    ({ status, driver }) => status === 'COMPLETE' && driver,
  )
  const booking = {
    ...like,
    id: BOOKING,
    booking_id: BOOKING,
    status: 'STARTED',
    customer: 'seed-rider',
    driver: 'seed-driver',
    fleetadmin: 'seed-fleetadmin',
    bookingDate: now,
    tripdate: now,
    carImage: 'x',
    customer_image: 'x',
    driver_image: 'x',
    pickup_image: 'x',
    deliver_image: 'x',
    deliveryPerson: 'x',
    deliveryPersonPhone: 'x',
    reason: 'x',
    parcelTypeSelected: { description: 'x', amount: 1 },
    optionSelected: { description: 'x', amount: 1 },
    promo_applied: true,
    promo_details: { id: 'x', promo_name: 'x' },
  }
  const beside = (id: string, status: string, more: object) =>
    toJson({ ...booking, ...more, id, booking_id: id, status, promo_applied: false })
  const free = { driver: undefined, driver_name: undefined, fleetadmin: undefined }
  const createMessage = (from: string, source: string) => ({
    ...{ message: 'x', from, source, type: 'msg', msgDate: 'x', msgTime: 'x', at: now },
  })
  const pushed = { title: 'x', msg: 'x', screen: 'BookedCab', booking_id: BOOKING, at: now }
  return {
    ...tree,
    users: {
      ...users,
      ...Object.fromEntries(
        PEOPLE.map((uid) => [
          uid,
          {
            ...(users[uid] as Branch),
            ...person,
            ...(uid === 'seed-driver' && { ...vehicle, queue: true }),
          },
        ]),
      ),
    },
    bookings: {
      ...bookings,
      [BOOKING]: toJson(booking),
      [OPEN]: beside(OPEN, 'NEW', free),
      [OWED]: beside(OWED, 'PENDING', { paymentPacket: undefined, payment_mode: undefined }),
      [DONE]: beside(DONE, 'COMPLETE', {}),
    },
    chats: {
      ...chats,
      [BOOKING]: {
        a: createMessage('seed-rider', 'rider'),
        b: createMessage('seed-driver', 'driver'),
      },
    },
    inbox: { ...inbox, ...Object.fromEntries(PEOPLE.map((uid) => [uid, { a: pushed }])) },
    shares: {
      ...shares,
      [SHARE]: { booking: BOOKING, by: 'seed-rider', level: 'live', at: now, expires: now + 9e6 },
    },
    settings: {
      ...settings,
      FacebookHandle: 'x',
      TwitterHandle: 'x',
      InstagramHandle: 'x',
      AppleStoreLink: 'x',
      PlayStoreLink: 'x',
      panic: 'x',
    },
  }
}

const PHONE = { width: 360, height: 780 }
const DESKTOP = { width: 1280, height: 800 }
const SCREENS: [who: string, uid: string | null, size: typeof DESKTOP, paths: string[]][] = [
  [
    'a visitor',
    null,
    PHONE,
    ['/', '/about-us', '/privacy-policy', '/login', '/signup', `/track/${SHARE}`],
  ],
  [
    'a rider',
    'seed-rider',
    PHONE,
    ['/', '/bookings', `/bookings/${BOOKING}`, `/bookings/${BOOKING}/chat`, '/wallet', '/profile'],
  ],
  [
    'a driver',
    'seed-driver',
    PHONE,
    [
      ...['/trips', '/bookings', `/bookings/${BOOKING}`, `/bookings/${BOOKING}/chat`],
      ...['/wallet', '/vehicle', '/profile'],
    ],
  ],
  [
    'a fleet admin',
    'seed-fleetadmin',
    DESKTOP,
    ['/dashboard', '/bookings', '/drivers', '/driverearning'],
  ],
  [
    'an admin',
    'seed-admin',
    DESKTOP,
    [
      ...['/dashboard', '/bookings', `/bookings/${BOOKING}`, `/bookings/${BOOKING}/chat`],
      ...['/addbookings', '/riders', '/drivers', '/fleetadmins', '/alladmin', '/cartypes'],
      ...['/cancelreasons', '/promos', '/notifications', '/earningreports', '/driverearning'],
      ...['/addtowallet', '/withdraws', '/payments', '/audit', '/settings', '/appinfo'],
      ...['/languagesetting', '/profile'],
    ],
  ],
]

/** Opens a panel on a screen and returns it. */
type PanelOpener = (page: Page) => Promise<Locator>
const pressButton =
  (name: string | RegExp): PanelOpener =>
  async (page) => {
    await page.getByRole('button', { name, exact: true }).first().click()
    return page.getByRole('dialog')
  }
const openPrintView: PanelOpener = async (page) => {
  await page.getByRole('button', { name: 'Print receipt' }).click()
  await page.emulateMedia({ media: 'print' })
  return page.locator('[data-print]')
}
const openTablePrintView: PanelOpener = async (page) => {
  await page.getByText('Export', { exact: true }).click()
  await page.getByRole('button', { name: 'Print or PDF' }).click()
  return page.locator('[data-printed]')
}
const openCommandPalette: PanelOpener = async (page) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(HOSTILE_MARK)
  return page.getByRole('dialog').getByRole('option').first()
}
const openTestBank: PanelOpener = async (page) => {
  await page.getByLabel('Amount', { exact: true }).fill('50')
  await page.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^Top up .*50/ }).click()
  await page.getByRole('heading', { name: 'Test payment', exact: true }).waitFor()
  return page.getByRole('main')
}
const OPENED_PANELS: [
  what: string,
  uid: string,
  size: typeof DESKTOP,
  path: string,
  open: PanelOpener,
][] = [
  ['a receipt on paper', 'seed-rider', PHONE, `/bookings/${DONE}`, openPrintView],
  ['a rider’s inbox', 'seed-rider', PHONE, '/', pressButton(/^Messages/)],
  ['a rider’s payment', 'seed-rider', PHONE, `/bookings/${OWED}`, pressButton('Pay now')],
  [
    'a rider’s cancellation dialog',
    'seed-rider',
    PHONE,
    `/bookings/${OPEN}`,
    pressButton('Cancel booking'),
  ],
  ['the page of the test bank', 'seed-rider', PHONE, '/wallet?tab=topup', openTestBank],
  ['a printed table', 'seed-admin', DESKTOP, '/bookings', openTablePrintView],
  ['the search of the back office', 'seed-admin', DESKTOP, '/dashboard', openCommandPalette],
]

/** The only panel without any user text. */
const BLANK_RECORD = '/notifications?edit=new'
/**
 * URLs that open a panel over an office page; `{branch}` is replaced by the id of the branch's
 * first record.
 */
const PANELS = [
  ...[`/bookings?open=${BOOKING}`, `/bookings?do=assign~${OPEN}`, `/bookings?do=cancel~${OPEN}`],
  ...['/riders?edit=seed-rider', '/riders?edit=seed-rider~wallet', '/drivers?edit=seed-driver'],
  ...['/drivers?edit=seed-driver~documents', '/cartypes?edit={cartypes}', '/promos?edit={promos}'],
  ...['/cartypes?edit={cartypes}~cancelSlab', '/cancelreasons?edit=0'],
  ...['/languagesetting?edit={languages}', BLANK_RECORD],
]

/**
 * Returns descriptions of the harm that a hostile text did to a page; empty when there was none.
 */
const describeHarm = ({ page }: Screen): Promise<string[]> =>
  page.evaluate((mark) => {
    const found: string[] = []
    const seen = window as { __xss?: unknown; __refused?: string[] }
    if (seen.__xss !== undefined) found.push('a script ran')
    found.push(...(seen.__refused ?? []))
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) found.push(`${element.tagName} has ${name}`)
        // React replaces a `javascript:` link with its own script, which only throws.
        const isStopped = value.startsWith('javascript:throw new Error(')
        const isLink = /^(href|action|formaction)$/.test(name) && !isStopped
        if (isLink && /^\s*(javascript|data):/i.test(value))
          found.push(`${element.tagName} leads to ${value.slice(0, 60)}`)
      }
      const isCode = element instanceof HTMLScriptElement || element instanceof HTMLIFrameElement
      if (isCode && element.outerHTML.includes(mark)) found.push(`a ${element.tagName} was made`)
    }
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth > clientWidth + 1) {
      const beyond = [...document.querySelectorAll('body *')].filter(
        (element) =>
          element instanceof HTMLElement &&
          element.closest('[class*=leaflet]') === null &&
          element.getBoundingClientRect().right > clientWidth + 1,
      )
      const ends = beyond.filter(
        (element) => !beyond.some((other) => other.parentElement === element),
      )
      const named = ends.slice(0, 12).map(({ tagName, className, textContent }) => {
        return `${tagName}.${String(className)} ${textContent.slice(0, 24)}`
      })
      found.push(`${scrollWidth} px wide in ${clientWidth}: ${named.join(' | ')}`)
    }
    return found
  }, HOSTILE_MARK)

describe('a hostile text is shown as plain text', () => {
  const database = openLocalDatabase(getSuite().urls.database)
  let browser: TestBrowser
  let before: DatabaseValue
  beforeAll(async () => {
    browser = await openTestBrowser()
    before = (await database.get('')) as DatabaseValue
    const tree = addMissingTexts(before as unknown as Tree, Date.now()) as unknown as DatabaseValue
    await database.put('', addHostileTexts(tree))
  })
  afterAll(async () => {
    await database.put('', before)
    await browser.close()
  })

  /**
   * Opens a page that records policy violations in `faults` and keeps the last printed document.
   */
  const openWatched = async (uid: string | null, size: typeof DESKTOP) => {
    const screen = await browser.openAs(uid, PLAIN_FILE, size)
    const { page } = screen
    page.on('dialog', (dialog) => void dialog.dismiss())
    await page.addInitScript(() => {
      const seen = window as { __refused?: string[] }
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        if (effectiveDirective.startsWith('script'))
          (seen.__refused ??= []).push(`the policy stopped ${blockedURI}`)
      })
      window.print = () => {
        const sheet = document.body.lastElementChild?.cloneNode(true)
        if (!(sheet instanceof HTMLElement)) return
        sheet.dataset.printed = ''
        document.documentElement.append(sheet)
      }
    })
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    return { screen, page, faults }
  }

  /** Opens screens one after another with client-side navigation; returns the faults of each. */
  const tour = async (
    uid: string | null,
    size: typeof DESKTOP,
    [first = '/', ...more]: string[],
  ) => {
    const { screen, page, faults } = await openWatched(uid, size)
    const wrong: Record<string, string[]> = {}
    const openScreen = async (path: string) => {
      // Every screen shows some user text, at least the name of the app or of the signed-in user.
      await page.waitForFunction(
        (mark) => document.documentElement.innerHTML.includes(mark),
        HOSTILE_MARK,
      )
      await waitUntilLoaded(page)
      const found = await describeHarm(screen)
      if (found.length > 0) wrong[path] = found
    }
    await page.goto(first)
    await openScreen(first)
    for (const path of more) {
      await navigateWithin(page, path)
      await page.waitForURL(`**${path}`)
      await openScreen(path)
    }
    await screen.context.close()
    return { wrong, faults }
  }

  test.each(SCREENS)('on every screen of %s', async (_, uid, size, paths) => {
    expect(await tour(uid, size, paths)).toEqual({ wrong: {}, faults: [] })
  })

  test.each(OPENED_PANELS)('in %s', async (_, uid, size, path, open) => {
    const { screen, page, faults } = await openWatched(uid, size)
    await page.goto(path)
    const opened = await open(page)
    await opened.filter({ hasText: HOSTILE_MARK }).first().waitFor({ state: 'attached' })
    expect({ harm: await describeHarm(screen), faults }).toEqual({ harm: [], faults: [] })
    await screen.context.close()
  })

  test('in every panel of the back office', async () => {
    const { screen, page, faults } = await openWatched('seed-admin', DESKTOP)
    const wrong: Record<string, string[]> = {}
    await page.goto('/bookings')
    for (const panel of PANELS) {
      const path = panel.replace(
        /\{(\w+)\}/,
        (_, branch: string) => Object.keys((before as unknown as Tree)[branch] ?? {})[0] ?? '',
      )
      await openPanel(page, path)
      if (panel !== BLANK_RECORD)
        await page.waitForFunction((mark) => {
          const fields = document.querySelectorAll<HTMLInputElement>(
            'dialog[open] :is(input,textarea)',
          )
          const typed = [...fields].map(({ value }) => value)
          const dialogs = [...document.querySelectorAll('dialog[open]')]
          return [...dialogs.map(({ textContent }) => textContent), ...typed].join().includes(mark)
        }, HOSTILE_MARK)
      await waitUntilLoaded(page)
      const found = await describeHarm(screen)
      if (found.length > 0) wrong[panel] = found
    }
    expect({ wrong, faults }).toEqual({ wrong: {}, faults: [] })
    await screen.context.close()
  })

  test('in a driver’s release dialog', async () => {
    await database.put(`bookings/${BOOKING}/status`, 'ACCEPTED')
    const { screen, page, faults } = await openWatched('seed-driver', PHONE)
    await page.goto('/trips')
    const opened = await pressButton('Release booking')(page)
    await opened.filter({ hasText: HOSTILE_MARK }).waitFor()
    expect({ harm: await describeHarm(screen), faults }).toEqual({ harm: [], faults: [] })
    await screen.context.close()
  })

  test('in the back office’s own translations', async () => {
    const languages = (await database.get('languages')) as Record<string, { langLocale: string }>
    const [id = ''] =
      Object.entries(languages).find(([, { langLocale }]) => langLocale === 'en') ?? []
    const words = Object.entries({ ...shared, ...site }).map(([key, text]) => [
      key,
      `<img src=x onerror="${RUN_MARK}"> ${text}`,
    ])
    await database.put(`languages/${id}/keyValuePairs`, Object.fromEntries(words) as DatabaseValue)
    const paths = ['/', '/about-us', '/privacy-policy', '/login', `/track/${SHARE}`]
    const { wrong, faults } = await tour(null, DESKTOP, paths)
    // Buttons with such long labels may overflow.
    const worse = Object.values(wrong)
      .flat()
      .filter((found) => !found.includes('px wide'))
    expect({ worse, faults }).toEqual({ worse: [], faults: [] })
  })
})
