import { afterAll, beforeAll, describe, expect, inject, onTestFailed, test } from 'vitest'
import type { Value } from '~/domain/booking/change'
import { plain } from '~/domain/booking/draft'
import type { Booking } from '~/domain/entities'
import type { Locator, Page } from 'playwright-core'
import { localDatabase } from '~/scripts/localDatabase'
import shared from '~/src/i18n/locales/en/shared.json'
import site from '~/src/i18n/locales/en/site.json'
import { loaded, openBrowser, type Screen, type TestBrowser } from '../support/browser'

/** Stands in every hostile text, so that a screen can be seen to show some. */
const MARK = 'zzx'
const RUN = `window.__xss='${MARK}'`
/** Every way a text has ever become something else; the direction is taken back, or the rest of the line would turn. */
const TEXT = [
  `<img src=x onerror="${RUN}">`,
  `"><script>${RUN}</script>`,
  `';${RUN};//`,
  `{{constructor.constructor("${RUN}")()}}`,
  '$t(menu_home) {{name}}',
  `<svg/onload=${RUN}>`,
  `javascript:${RUN}`,
  '\u202egpj.exe\u202c \u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd',
  'W'.repeat(40),
].join(' ')
const LINKS = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  `https://none.invalid/${MARK}" onerror="${RUN}`,
  `/images/none.webp?${MARK}') ; background: url(https://none.invalid/`,
]
const IS_LINK =
  /^(image|profile_image|licenseImage|carImage|customer_image|driver_image|pickup_image|deliver_image|FacebookHandle|TwitterHandle|InstagramHandle|AppleStoreLink|PlayStoreLink|CompanyWebsite|CompanyTerms)$/
const IS_TEXT =
  /^(firstName|lastName|email|mobile|bankName|bankCode|bankAccount|vehicleMake|vehicleModel|vehicleNumber|other_info|description|extra_info|label|promo_name|promo_description|title|body|msg|message|add|pickupAddress|dropAddress|customer_name|customer_email|customer_contact|driver_name|driver_contact|vehicle_number|deliveryPerson|deliveryPersonPhone|pickUpInstructions|deliveryInstructions|reason|cause|appName|CompanyName|contact_email|country|panic|langName|txRef|name|driverName|driverVehicleNo|action|cancelledBy)$/
/** Words of the program, not of people: a fare's lines are named by keys. */
const IS_OURS = /\/fare_history\/|^stats\/|\/event_log\//

let next = 0
/** The same tree with a hostile text wherever somebody typed one. */
const poisoned = (value: Value, path = ''): Value => {
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [
        key,
        poisoned(child as Value, path === '' ? key : `${path}/${key}`),
      ]),
    )
  const name = path.split('/').at(-1) ?? ''
  if (typeof value !== 'string' || IS_OURS.test(path)) return value
  if (path.includes('/keyValuePairs/')) return value
  if (name === 'symbol') return `<b>${MARK}</b>`
  if (IS_LINK.test(name)) return LINKS[(next += 1) % LINKS.length] ?? ''
  // A booking has the name of its car type, a driver the id of his.
  const isText = IS_TEXT.test(name) || (name === 'carType' && path.startsWith('bookings/'))
  return isText ? TEXT : value
}

const BOOKING = '-Pzss000000000000000'
/** Others beside it: one that looks for a driver, one that waits for its money, one that is over. */
const [OPEN, OWED, DONE] = ['-Pzss000000000000001', '-Pzss000000000000002', '-Pzss000000000000003']
const SHARE = 'hostile-share'
const PEOPLE = ['seed-rider', 'seed-driver', 'seed-fleetadmin', 'seed-admin'] as const
type Branch = Record<string, Value>
type Tree = Record<string, Branch>

/** Everything somebody can type, where the demo city has nothing of it. */
const filled = (tree: Tree, now: number): Tree => {
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
    pickUpInstructions: 'x',
    deliveryInstructions: 'x',
    reason: 'x',
    parcelTypeSelected: { description: 'x', amount: 1 },
    optionSelected: { description: 'x', amount: 1 },
    promo_applied: true,
    promo_details: { id: 'x', promo_name: 'x' },
  }
  const beside = (id: string, status: string, more: object) =>
    plain({ ...booking, ...more, id, booking_id: id, status, promo_applied: false })
  const free = { driver: undefined, driver_name: undefined, fleetadmin: undefined }
  const said = (from: string, source: string) => ({
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
      [BOOKING]: plain(booking),
      [OPEN]: beside(OPEN, 'NEW', free),
      [OWED]: beside(OWED, 'PENDING', { paymentPacket: undefined, payment_mode: undefined }),
      [DONE]: beside(DONE, 'COMPLETE', {}),
    },
    chats: {
      ...chats,
      [BOOKING]: { a: said('seed-rider', 'rider'), b: said('seed-driver', 'driver') },
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
const DESK = { width: 1280, height: 800 }
const SCREENS: [who: string, uid: string | null, size: typeof DESK, paths: string[]][] = [
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
    DESK,
    ['/dashboard', '/bookings', '/drivers', '/driverearning'],
  ],
  [
    'an admin',
    'seed-admin',
    DESK,
    [
      ...['/dashboard', '/bookings', `/bookings/${BOOKING}`, `/bookings/${BOOKING}/chat`],
      ...['/addbookings', '/riders', '/drivers', '/fleetadmins', '/alladmin', '/cartypes'],
      ...['/cancelreasons', '/promos', '/notifications', '/earningreports', '/driverearning'],
      ...['/addtowallet', '/withdraws', '/payments', '/audit', '/settings', '/appinfo'],
      ...['/languagesetting', '/profile'],
    ],
  ],
]

/** Opens something on a screen and gives it. */
type Opening = (page: Page) => Promise<Locator>
const pressed =
  (name: string | RegExp): Opening =>
  async (page) => {
    await page.getByRole('button', { name, exact: true }).first().click()
    return page.getByRole('dialog')
  }
const printed: Opening = async (page) => {
  await page.getByRole('button', { name: 'Print the receipt' }).click()
  await page.emulateMedia({ media: 'print' })
  return page.locator('[data-print]')
}
const tablePrinted: Opening = async (page) => {
  await page.getByText('Export', { exact: true }).click()
  await page.getByRole('button', { name: 'Print or PDF' }).click()
  return page.locator('[data-printed]')
}
const paletteOpened: Opening = async (page) => {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill(MARK)
  return page.getByRole('dialog').getByRole('option').first()
}
const bankOpened: Opening = async (page) => {
  await page.getByLabel('How much?').fill('50')
  await page.getByRole('radio', { name: 'Test payment' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /^Top up .*50/ }).click()
  await page.getByRole('heading', { name: 'Test payment', exact: true }).waitFor()
  return page.getByRole('main')
}
const OPENED: [what: string, uid: string, size: typeof DESK, path: string, open: Opening][] = [
  ['a receipt on paper', 'seed-rider', PHONE, `/bookings/${DONE}`, printed],
  ['a rider’s inbox', 'seed-rider', PHONE, '/', pressed(/^Messages/)],
  ['a rider’s payment', 'seed-rider', PHONE, `/bookings/${OWED}`, pressed('Pay now')],
  ['a rider’s cancelling', 'seed-rider', PHONE, `/bookings/${OPEN}`, pressed('Cancel booking')],
  ['the bank’s page', 'seed-rider', PHONE, '/wallet?tab=topup', bankOpened],
  ['a table on paper', 'seed-admin', DESK, '/bookings', tablePrinted],
  ['the office’s finder', 'seed-admin', DESK, '/dashboard', paletteOpened],
]

/** The one in which nobody has typed anything yet. */
const BLANK = '/notifications?edit=new'
/** What lies over the office's pages, by its address; `{branch}` is the first record of a branch. */
const PANELS = [
  ...[`/bookings?open=${BOOKING}`, `/bookings?do=assign~${OPEN}`, `/bookings?do=cancel~${OPEN}`],
  ...['/riders?edit=seed-rider', '/riders?edit=seed-rider~wallet', '/drivers?edit=seed-driver'],
  ...['/drivers?edit=seed-driver~documents', '/cartypes?edit={cartypes}', '/promos?edit={promos}'],
  ...['/cartypes?edit={cartypes}~cancelSlab', '/cancelreasons?edit=0'],
  ...['/languagesetting?edit={languages}', BLANK],
]

/** What a hostile text did to a page, in words; nothing when it stayed text. */
const harm = ({ page }: Screen): Promise<string[]> =>
  page.evaluate((mark) => {
    const found: string[] = []
    const seen = window as { __xss?: unknown; __refused?: string[] }
    if (seen.__xss !== undefined) found.push('a script ran')
    found.push(...(seen.__refused ?? []))
    for (const element of document.querySelectorAll('*')) {
      for (const { name, value } of element.attributes) {
        if (name.startsWith('on')) found.push(`${element.tagName} has ${name}`)
        // React puts a script of its own, which only throws, where a link would run one.
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
  }, MARK)

describe('a hostile text stays a text', () => {
  const database = localDatabase(inject('urls').database)
  let browser: TestBrowser
  let before: Value
  beforeAll(async () => {
    browser = await openBrowser()
    before = (await database.get('')) as Value
    const tree = filled(before as unknown as Tree, Date.now()) as unknown as Value
    await database.put('', poisoned(tree))
  })
  afterAll(async () => {
    await database.put('', before)
    await browser.close()
  })

  /** Opens a window that remembers what a policy stopped and keeps the last sheet it was to print; `faults` fills by itself. */
  const openWatched = async (uid: string | null, size: typeof DESK) => {
    const screen = await browser.openAs(uid, 'about:blank', size)
    onTestFailed(() => browser.picture({ hostile: screen }))
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

  /** Opens screens one after another, as the app itself moves, and gives what was wrong on each. */
  const tour = async (uid: string | null, size: typeof DESK, [first = '/', ...more]: string[]) => {
    const { screen, page, faults } = await openWatched(uid, size)
    const wrong: Record<string, string[]> = {}
    const look = async (path: string) => {
      // What people typed is on every screen, if only as the name of the app or of who looks.
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction((mark) => document.documentElement.innerHTML.includes(mark), MARK)
      await loaded(page)
      const found = await harm(screen)
      if (found.length > 0) wrong[path] = found
    }
    await page.goto(first)
    await look(first)
    for (const path of more) {
      await page.evaluate((to) => {
        history.pushState(null, '', to)
        dispatchEvent(new PopStateEvent('popstate', { state: null }))
      }, path)
      await page.waitForURL(`**${path}`)
      await look(path)
    }
    await screen.context.close()
    return { wrong, faults }
  }

  test.each(SCREENS)('on every screen of %s', async (_, uid, size, paths) => {
    expect(await tour(uid, size, paths)).toEqual({ wrong: {}, faults: [] })
  })

  test.each(OPENED)('in %s', async (_, uid, size, path, open) => {
    const { screen, page, faults } = await openWatched(uid, size)
    await page.goto(path)
    const opened = await open(page)
    await opened.filter({ hasText: MARK }).first().waitFor({ state: 'attached' })
    expect({ harm: await harm(screen), faults }).toEqual({ harm: [], faults: [] })
    await screen.context.close()
  })

  test('on every panel of the office', async () => {
    const { screen, page, faults } = await openWatched('seed-admin', DESK)
    const wrong: Record<string, string[]> = {}
    for (const panel of PANELS) {
      const path = panel.replace(
        /\{(\w+)\}/,
        (_, branch: string) => Object.keys((before as unknown as Tree)[branch] ?? {})[0] ?? '',
      )
      await page.goto(path)
      await page.getByRole('dialog').first().waitFor()
      if (panel !== BLANK)
        await page.waitForFunction((mark) => {
          const fields = document.querySelectorAll<HTMLInputElement>(
            'dialog[open] :is(input,textarea)',
          )
          const typed = [...fields].map(({ value }) => value)
          const dialogs = [...document.querySelectorAll('dialog[open]')]
          return [...dialogs.map(({ textContent }) => textContent), ...typed].join().includes(mark)
        }, MARK)
      await loaded(page)
      const found = await harm(screen)
      if (found.length > 0) wrong[panel] = found
    }
    expect({ wrong, faults }).toEqual({ wrong: {}, faults: [] })
    await screen.context.close()
  })

  test('in a driver’s giving up', async () => {
    await database.put(`bookings/${BOOKING}/status`, 'ACCEPTED')
    const { screen, page, faults } = await openWatched('seed-driver', PHONE)
    await page.goto('/trips')
    const opened = await pressed('Cancel the booking')(page)
    await opened.filter({ hasText: MARK }).waitFor()
    expect({ harm: await harm(screen), faults }).toEqual({ harm: [], faults: [] })
    await screen.context.close()
  })

  test('also where the office wrote the words of the app', async () => {
    const languages = (await database.get('languages')) as Record<string, { langLocale: string }>
    const [id = ''] =
      Object.entries(languages).find(([, { langLocale }]) => langLocale === 'en') ?? []
    const words = Object.entries({ ...shared, ...site }).map(([key, text]) => [
      key,
      `<img src=x onerror="${RUN}"> ${text}`,
    ])
    await database.put(`languages/${id}/keyValuePairs`, Object.fromEntries(words) as Value)
    const paths = ['/', '/about-us', '/privacy-policy', '/login', `/track/${SHARE}`]
    const { wrong, faults } = await tour(null, DESK, paths)
    // Buttons that say so much are wide.
    const worse = Object.values(wrong)
      .flat()
      .filter((found) => !found.includes('px wide'))
    expect({ worse, faults }).toEqual({ worse: [], faults: [] })
  })
})
