import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { PUSH_PARAMS, toPushText, type PushName } from '~/domain/booking/pushMessages'
import type { ShippedLocale } from '~/domain/catalog/languages'
import { createStartReasons, createStartVehicleTypes } from '~/domain/setup/startCatalog'
import {
  aBooking,
  aDriver,
  aRider,
  aSettings,
  aVehicleType,
  DROP,
  NOON,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Settings } from '~/domain/catalog/types'

/** Stems of the words for parcels, for sending something, and for those who receive it. */
const PARCEL_WORDS: Record<ShippedLocale, RegExp> = {
  en: /parcel|courier|package|\bdeliver|recipient|receives it|something to send|you sending/i,
  es: /paquete|\bentregas?\b|\benvíos?\b|va a enviar|lo recibe|destinatari|mensajer|mover algo/i,
  fr: /colis|livrais|\blivrer|le reçoit|destinataire|coursier|expédi|à déplacer|envoyez-vous/i,
  pt: /pacote|encomenda|\bentregas?\b|destinat|vai receber|remessa|vai enviar|mover algo/i,
  de: /paket|sendung|(?<!mitge)liefer|zustell|empfänger|verschick|kurier|übergabe|nimmt es|etwas bewegen/i,
  ar: /طرد|طرود|تسليم|المستلم|سيستلمه|نقل شيء|سترسل/,
  he: /חביל|משלוח(?! דואר)|שליח(?!ת|ה)|מסירה|להעביר משהו|מה שולחים/,
  hi: /पार्सल|डिलीवर|कूरियर|पाने वाल(?!े देश)|इसे कौन लेगा|पहुँचाना|भेज रहे/,
}
const LOCALES = Object.keys(PARCEL_WORDS) as ShippedLocale[]

const TEXT_FILES = import.meta.glob<Record<string, string>>('../i18n/locales/*/*.json', {
  eager: true,
  import: 'default',
})
const readTexts = (locale: ShippedLocale): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(TEXT_FILES)
      .filter(([file]) => file.includes(`/${locale}/`))
      .map(([, texts]) => texts),
  ) as Record<string, string>

const findParcelTexts = (keys: readonly string[], locale: ShippedLocale): string[] => {
  const texts = readTexts(locale)
  return keys
    .filter((key) => PARCEL_WORDS[locale].test(texts[key] ?? ''))
    .map((key) => `${key}: ${texts[key]}`)
}

const OURS = { customer: 'rita', driver: 'driver', prepaid: true } as const
const BOOKINGS = [
  aBooking({ id: 'new', booking_id: 'new', customer: 'rita', status: 'NEW' }),
  aBooking({ id: 'due', booking_id: 'due', ...OURS, status: 'PENDING' }),
  aBooking({ id: 'done', booking_id: 'done', ...OURS, status: 'COMPLETE', endTime: Date.now() }),
  aBooking({ id: 'off', booking_id: 'off', ...OURS, status: 'CANCELLED', cancelled_at: NOON }),
]
/** The language of a page in which each text is its own key. */
const KEYS_LOCALE = 'es'
const KEY = /‹(\w+)›/g
const KEYS_AS_TEXTS = Object.fromEntries(
  Object.keys(readTexts(KEYS_LOCALE)).map((key) => [key, `‹${key}›`]),
)

type Viewer = 'visitor' | 'rita' | 'driver' | 'admin'
const open = async (path: string, appcat: Settings['appcat'], viewer: Viewer = 'rita') => {
  localStorage.setItem('kerbside.locale', KEYS_LOCALE)
  const app = await renderApp(path, {
    ...(viewer !== 'visitor' && { as: viewer }),
    handlers: {
      get_providers: () => [],
      list_recurring: () => ({ series: [], next: null }),
      read_help: () => ({ case: null }),
      message_settings: () => ({
        settings: { revision: 1 },
        month: '2026-11',
        total: { revision: 1 },
      }),
      'googleapis-getdirections': () => ROUTE,
      track: () => ({
        status: 'STARTED',
        carType: 'XL',
        level: 'status',
        expires: Date.now() + 1e6,
      }),
    },
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings({ appcat }),
        users: {
          rita: aRider({ id: 'rita', walletBalance: 100 }),
          driver: aDriver({ driverActiveStatus: true }),
          admin: aRider({ id: 'admin', usertype: 'admin' }),
        },
        cartypes: { van: aVehicleType() },
        cancel_reason: createStartReasons('rides', KEYS_LOCALE),
        bookings: Object.fromEntries(BOOKINGS.map((one) => [one.id, one])),
        languages: {
          [KEYS_LOCALE]: {
            ...{ langName: 'Keys', langLocale: KEYS_LOCALE, dateLocale: KEYS_LOCALE },
            ...{ default: true, createdAt: '2026-01-01T00:00:00.000Z' },
            keyValuePairs: KEYS_AS_TEXTS,
          },
        },
      }),
    ) as Tree,
  })
  await waitFor(() => expect(document.documentElement.lang).toBe(KEYS_LOCALE))
  await screen.findAllByRole('heading', { name: /‹/ })
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull())
  return app
}

const READ_ATTRIBUTES = ['aria-label', 'placeholder', 'title', 'alt']
/** Returns the keys of everything on the page that people read or hear. */
const readKeys = (): string[] =>
  [
    document.title,
    document.body.textContent,
    ...[...document.querySelectorAll('*')].flatMap((element) =>
      READ_ATTRIBUTES.map((name) => element.getAttribute(name)),
    ),
  ].flatMap((text) => [...(text ?? '').matchAll(KEY)].map(([, key = '']) => key))

interface Page {
  path: string
  /** A text that shows that the page has loaded. */
  key: string
  viewer?: Viewer
  /** The button of a dialog to open. */
  button?: string
}
const collectKeys = async ({ path, key, viewer, button }: Page): Promise<string[]> => {
  const { user, unmount } = await open(path, 'taxi', viewer)
  await waitFor(() => expect(readKeys()).toContain(key))
  if (button) {
    await user.click(await screen.findByRole('button', { name: `‹${button}›` }))
    await screen.findByRole('dialog')
  }
  const keys = readKeys()
  unmount()
  return keys
}

/** Returns the keys of the booking form with one of its dialogs open. */
const collectFormKeys = async (stage: 'extras' | 'estimate', appcat: Settings['appcat']) => {
  const trip = { pickup: PICKUP, drop: DROP, waypoints: [], carType: 'van', selected: 'pickup' }
  sessionStorage.setItem('kerbside.draft', JSON.stringify({ draft: { stage }, trip }))
  const { unmount } = await open('/', appcat)
  await screen.findByRole('dialog')
  const keys = readKeys()
  unmount()
  return keys
}

const PAGES: Page[] = [
  { path: '/', key: 'feature_code_text' },
  { path: '/about-us', key: 'about_value_3' },
  { path: '/privacy-policy', key: 'privacy_contact' },
  { path: '/login', key: 'login_text', viewer: 'visitor' },
  { path: '/signup', key: 'signup_title', viewer: 'visitor' },
  { path: '/track/token', key: 'track_until', viewer: 'visitor' },
  { path: '/profile', key: 'delete_account' },
  { path: '/wallet', key: 'statement_empty' },
  { path: '/recurring', key: 'recurring_empty' },
  { path: '/bookings?tab=all', key: 'status_COMPLETE' },
  { path: '/bookings?tab=all&view=table', key: 'customer_paid' },
  { path: '/bookings/new', key: 'trip_date', button: 'cancel_booking' },
  { path: '/bookings/due', key: 'trip_date', button: 'pay_now' },
  { path: '/bookings/done', key: 'tip_send', button: 'help_send' },
  { path: '/bookings/off', key: 'receipt_nothing_charged' },
]

const WORK_PAGES: Page[] = [
  { path: '/trips', key: 'stage_collect', viewer: 'driver' },
  { path: '/bookings', key: 'driver_share', viewer: 'driver' },
  { path: '/wallet', key: 'wallet_tab_statement', viewer: 'driver' },
  { path: '/messages', key: 'audience_office', viewer: 'admin' },
  { path: '/messages?part=texts', key: 'push_accepted_title', viewer: 'admin' },
  { path: '/bookings', key: 'trip_route', viewer: 'admin' },
  { path: '/bookings/done', key: 'trip_cost', viewer: 'admin' },
  { path: '/addbookings', key: 'booking_map_office', viewer: 'admin' },
  { path: '/cartypes', key: 'base_fare', viewer: 'admin' },
]

describe('a taxi company, in every language,', () => {
  test('speaks of no parcels on the pages of visitors and riders', async () => {
    const keys = new Set<string>()
    for (const page of PAGES) for (const key of await collectKeys(page)) keys.add(key)
    expect(keys.size).toBeGreaterThan(200)
    expect(LOCALES.flatMap((locale) => findParcelTexts([...keys], locale))).toEqual([])
  })

  test.each(WORK_PAGES)('speaks of no parcels to a $viewer at $path', async (page) => {
    const keys = await collectKeys(page)
    expect(LOCALES.flatMap((locale) => findParcelTexts(keys, locale))).toEqual([])
  })

  test('asks in the booking form for an option, and for no parcel', async () => {
    const keys = [
      ...(await collectFormKeys('extras', 'taxi')),
      ...(await collectFormKeys('estimate', 'taxi')),
    ]
    expect(keys).toEqual(expect.arrayContaining(['extras_option', 'estimate_title']))
    expect(LOCALES.flatMap((locale) => findParcelTexts(keys, locale))).toEqual([])
  })

  test.each(LOCALES)('speaks of no parcels in messages, receipts and e-mails: %s', (locale) => {
    const names = (Object.keys(PUSH_PARAMS) as PushName[]).filter(
      (name) => !name.startsWith('parcel_'),
    )
    const keys = [
      ...names.flatMap((name) => Object.values(toPushText(name))),
      ...Object.keys(readTexts(locale)).filter((key) => /^(receipt|email|fare)_/.test(key)),
    ].filter((key) => key !== 'fare_parcel_type')
    expect(findParcelTexts(keys, locale)).toEqual([])
  })

  test.each(LOCALES)('starts with vehicle types and reasons for people: %s', (locale) => {
    const texts = JSON.stringify([
      createStartVehicleTypes('rides', locale, aSettings(), NOON),
      createStartReasons('rides', locale),
    ])
    expect(PARCEL_WORDS[locale].exec(texts)).toBeNull()
  })
})

test('the words for parcels are those of a parcel company’s booking form', async () => {
  const keys = [
    ...(await collectFormKeys('extras', 'delivery')),
    ...(await collectFormKeys('estimate', 'delivery')),
  ]
  const expected = ['extras_title', 'extras_parcel', 'delivery_title', 'deliveryPerson']
  expect(keys).toEqual(expect.arrayContaining(expected))
  for (const locale of LOCALES) expect(findParcelTexts(expected, locale)).toHaveLength(4)
})
