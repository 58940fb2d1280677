import { afterAll, beforeAll, describe, expect, inject, onTestFailed, test } from 'vitest'
import type { Value } from '~/domain/booking/change'
import { plain } from '~/domain/booking/draft'
import type { Booking } from '~/domain/entities'
import { localDatabase } from '~/scripts/localDatabase'
import shared from '~/src/i18n/locales/en/shared.json'
import site from '~/src/i18n/locales/en/site.json'
import { openBrowser, type Screen, type TestBrowser } from '../support/browser'

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

const BOOKING = '-Oxss0000000000000000'.slice(0, 20)
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
    bookings: { ...bookings, [BOOKING]: plain(booking) },
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

  /** Opens screens one after another, as the app itself moves, and gives what was wrong on each. */
  const tour = async (uid: string | null, size: typeof DESK, [first = '/', ...more]: string[]) => {
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
    })
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    const wrong: Record<string, string[]> = {}
    const look = async (path: string) => {
      // What people typed is on every screen, if only as the name of the app or of who looks.
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      await page.waitForFunction((mark) => document.documentElement.innerHTML.includes(mark), MARK)
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
