import type { Page } from 'playwright-core'
import { screenPaths as at } from '~/src/store/screenPaths'
import type { Fixtures } from './fixtures'
import type { Status } from '~/domain/booking/types'

/** Returns the text of a key in the language of the picture. */
export type Translator = (key: string) => string

/** A screen to photograph: its user, its path and the steps to take first. */
export interface ScreenSpec {
  /** Group and name, such as 'rider/wallet'. */
  name: string
  /** Null for a visitor. */
  uid: string | null
  path: string
  steps?: (page: Page, say: Translator) => Promise<unknown>
  /** For a step that exists in only one layout. */
  size?: 'phone' | 'desktop'
  /** Matches expected refused requests by status and path. */
  expectedErrors?: RegExp
  /** True for a page that is not ours and has only one language and theme. */
  isForeign?: true
}

const createPressStep = (key: string) => (page: Page, say: Translator) =>
  page
    .getByRole('button', { name: say(key), exact: true })
    .first()
    .click()

const EXAMPLE_PLACES = [
  ['pickup', 'plaza independencia', /Plaza Independencia/i],
  ['drop', 'montevideo shopping', /Montevideo Shopping/i],
] as const

/** Fills in the booking form with a route and a vehicle. */
const fillBookingForm = async (page: Page, say: Translator) => {
  for (const [field, words, optionName] of EXAMPLE_PLACES) {
    await page.getByRole('combobox', { name: say(field), exact: true }).fill(words)
    await page.getByRole('option', { name: optionName }).first().click()
  }
  await page.getByRole('radio', { name: /Courier/ }).check({ force: true })
  // The price appears together with the route.
  await page
    .getByText(/\d.*(km|كم|ק״מ|किमी)/)
    .first()
    .waitFor()
}
const openExtras = async (page: Page, say: Translator) => {
  await fillBookingForm(page, say)
  await createPressStep('Book Now')(page, say)
  await page.getByRole('dialog').waitFor()
}
const openEstimate = async (page: Page, say: Translator) => {
  await openExtras(page, say)
  await createPressStep('extras_continue')(page, say)
}

const RIDER_BOOKINGS: readonly (readonly [Status, string, ScreenSpec['steps']?])[] = [
  ['PAYMENT_PENDING', 'booking-unpaid'],
  ['PAYMENT_PENDING', 'payment', createPressStep('pay_now')],
  ['NEW', 'booking-new'],
  ['NEW', 'booking-cancel', createPressStep('cancel_booking')],
  ['NEW', 'booking-amend', createPressStep('change_booking')],
  ['ACCEPTED', 'booking-accepted'],
  ['ARRIVED', 'booking-arrived'],
  ['STARTED', 'booking-started'],
  ['STARTED', 'booking-share', createPressStep('share_short')],
  ['PENDING', 'booking-pending'],
  ['PAID', 'booking-paid'],
  ['COMPLETE', 'booking-complete'],
  ['CANCELLED', 'booking-cancelled'],
]

/** Lists a screen for each of these bookings, signed in as its customer or its driver. */
const listBookingScreens = (
  { bookings }: Fixtures,
  { group, path }: { group: 'rider' | 'driver'; path: (id: string) => string },
  names: readonly (readonly [Status, string, ScreenSpec['steps']?])[],
): ScreenSpec[] =>
  names.flatMap(([status, name, steps]) => {
    const booking = bookings[status]
    const uid = group === 'rider' ? booking?.customer : booking?.driver
    return booking && uid
      ? [{ name: `${group}/${name}`, uid, path: path(booking.id), ...(steps && { steps }) }]
      : []
  })

/** Lists the screens of a booking whose customer is asked whether to keep waiting. */
const listWaitingScreens = ({ waiting }: Fixtures): ScreenSpec[] =>
  waiting
    ? [
        { name: 'rider/booking-waiting', uid: waiting.customer, path: at.booking(waiting.id) },
        admin('booking-waiting', `${at.bookings}?open=${waiting.id}`),
      ]
    : []

const listVisitorScreens = (fixtures: Fixtures): ScreenSpec[] => [
  { name: 'visitor/home', uid: null, path: at.home },
  {
    name: 'visitor/home-menu',
    uid: null,
    path: at.home,
    steps: createPressStep('menu'),
    size: 'phone',
  },
  {
    name: 'visitor/languages',
    uid: null,
    path: at.home,
    steps: async (page, say) => {
      await createPressStep('choose_language')(page, say)
      await page.getByRole('dialog').getByRole('button', { pressed: true }).waitFor()
    },
  },
  { name: 'visitor/home-filled', uid: null, path: at.home, steps: fillBookingForm },
  { name: 'visitor/about', uid: null, path: at.about },
  { name: 'visitor/privacy', uid: null, path: at.privacy },
  { name: 'visitor/login', uid: null, path: at.login },
  {
    name: 'visitor/login-code',
    uid: null,
    // The Auth emulator does not support captchas.
    expectedErrors: /^501 .*recaptcha/i,
    path: at.login,
    steps: async (page, say) => {
      await page.getByLabel(say('mobile'), { exact: true }).fill('+15555550103')
      await createPressStep('get_code')(page, say)
      await page.getByLabel(say('code_label')).waitFor()
    },
  },
  { name: 'visitor/driver-sign-up', uid: null, path: at.driverSignUp },
  { name: 'visitor/setup', uid: null, path: at.setup },
  { name: 'visitor/track', uid: null, path: at.sharedBooking(fixtures.shareToken) },
  {
    name: 'visitor/track-unknown',
    uid: null,
    path: at.sharedBooking('nothing-here-under-this-name'),
    expectedErrors: /^404 .*track/,
  },
]

/** Opens the page of the test provider, as a payment does. */
const openTestBank = async (page: Page, fields: Record<string, string>) => {
  await page.evaluate(({ url = '', payment_id = '', uid = '' }) => {
    const form = document.createElement('form')
    form.method = 'post'
    form.action = url
    for (const [name, value] of Object.entries({ order_id: payment_id, cust_id: uid })) {
      const field = document.createElement('input')
      field.name = name
      field.value = value
      form.append(field)
    }
    document.body.append(form)
    form.submit()
  }, fields)
  await page.locator('button[value="pay"]').waitFor()
}

const listRiderScreens = (fixtures: Fixtures): ScreenSpec[] => {
  const { payment } = fixtures
  return [
    {
      name: 'rider/home-filled',
      uid: 'seed-rider',
      path: at.home,
      steps: fillBookingForm,
    },
    { name: 'rider/extras', uid: 'seed-rider', path: at.home, steps: openExtras },
    { name: 'rider/estimate', uid: 'seed-rider', path: at.home, steps: openEstimate },
    { name: 'rider/bookings', uid: 'seed-rider', path: `${at.bookings}?tab=past` },
    { name: 'rider/bookings-table', uid: 'seed-rider', path: `${at.bookings}?tab=past&view=table` },
    { name: 'rider/bookings-empty', uid: 'seed-rider', path: at.bookings },
    ...listBookingScreens(fixtures, { group: 'rider', path: at.booking }, RIDER_BOOKINGS),
    ...listWaitingScreens(fixtures),
    {
      name: 'rider/booking-flagged',
      uid: fixtures.flagged.customer,
      path: at.booking(fixtures.flagged.id),
    },
    ...listBookingScreens(fixtures, { group: 'rider', path: at.chat }, [['STARTED', 'chat']]),
    { name: 'rider/wallet', uid: 'seed-rider', path: at.wallet },
    { name: 'rider/wallet-top-up', uid: 'seed-rider', path: `${at.wallet}?tab=topup` },
    {
      name: 'rider/test-bank',
      uid: null,
      path: at.home,
      isForeign: true,
      steps: (page) => openTestBank(page, { ...payment, uid: 'seed-rider' }),
    },
    {
      name: 'rider/payment-return',
      uid: 'seed-rider',
      path: `${at.paymentReturn}?payment=${payment.payment_id}`,
    },
    { name: 'rider/profile', uid: 'seed-rider', path: at.profile },
    { name: 'rider/recurring', uid: 'seed-rider', path: at.recurring },
    ...listBookingScreens(fixtures, { group: 'rider', path: () => at.bookings }, [
      [
        'COMPLETE',
        'inbox',
        // The button's name also includes the number of new messages.
        (page, say) => page.getByRole('button', { name: new RegExp(say('inbox')) }).click(),
      ],
    ]),
  ]
}

const listDriverScreens = (fixtures: Fixtures): ScreenSpec[] => [
  { name: 'driver/trips', uid: 'seed-driver', path: at.trips },
  { name: 'driver/trips-asked', uid: fixtures.offeredDriver, path: at.trips },
  {
    name: 'driver/message',
    uid: 'seed-driver',
    path: at.trips,
    steps: createPressStep('message_office'),
  },
  ...listBookingScreens(fixtures, { group: 'driver', path: () => at.trips }, [
    ['ACCEPTED', 'trips-accepted'],
    ['ARRIVED', 'trips-arrived'],
    ['ARRIVED', 'trips-code', createPressStep('do_start')],
    ['STARTED', 'trips-started'],
    ['REACHED', 'trips-reached'],
    ['PENDING', 'trips-collect'],
  ]),
  { name: 'driver/trips-waiting-for-approval', uid: 'seed-driver-pending', path: at.trips },
  ...listBookingScreens(fixtures, { group: 'driver', path: () => at.bookings }, [
    ['ACCEPTED', 'bookings'],
  ]),
  ...listBookingScreens(fixtures, { group: 'driver', path: at.booking }, [['STARTED', 'booking']]),
  ...listBookingScreens(fixtures, { group: 'driver', path: at.chat }, [['STARTED', 'chat']]),
  { name: 'driver/earnings', uid: 'seed-driver', path: at.wallet },
  { name: 'driver/statement', uid: 'seed-driver', path: `${at.wallet}?tab=statement` },
  { name: 'driver/withdraw', uid: 'seed-driver', path: `${at.wallet}?tab=withdraw` },
  { name: 'driver/profile', uid: 'seed-driver', path: at.profile },
  { name: 'driver/vehicle', uid: 'seed-driver', path: at.vehicle },
]

const listFleetAdminScreens = (): ScreenSpec[] => [
  ...(
    [
      ['board', at.board],
      ['dashboard', at.dashboard],
      ['bookings', at.bookings],
      ['drivers', at.drivers],
      ['driver', `${at.drivers}?edit=seed-driver`],
      ['driver-earning', at.driverEarnings],
      ['profile', at.profile],
    ] as const
  ).map(([name, path]) => ({ name: `fleetadmin/${name}`, uid: 'seed-fleetadmin', path })),
]

const admin = (name: string, path: string, steps?: ScreenSpec['steps']): ScreenSpec => ({
  name: `admin/${name}`,
  uid: 'seed-admin',
  path,
  ...(steps && { steps }),
})

const listOperationScreens = ({ bookings, flagged }: Fixtures): ScreenSpec[] => {
  const office = (status: Status) => `${at.bookings}?open=${bookings[status]?.id ?? ''}`
  return [
    admin('board', at.board),
    {
      ...admin('board-message', at.board, createPressStep('message_all_drivers')),
      size: 'desktop',
    },
    admin('board-booking', at.board, async (page, say) => {
      const queue = page.getByRole('listbox', { name: say('unassigned'), exact: true })
      await queue.getByRole('option').first().click()
      await page.getByRole('tablist', { name: say('board_parts') }).waitFor()
    }),
    admin('dashboard', at.dashboard),
    admin('dashboard-months', `${at.dashboard}?by=month`),
    { ...admin('menu', at.dashboard, createPressStep('menu')), size: 'phone' },
    admin('palette', at.dashboard, (page) => page.keyboard.press('Control+k')),
    admin('shortcuts', at.dashboard, (page) => page.keyboard.press('?')),
    admin('languages-choice', at.dashboard, createPressStep('choose_language')),
    admin('bookings', at.bookings),
    admin('bookings-filters', `${at.bookings}?status=COMPLETE`, createPressStep('filters')),
    admin('bookings-nothing', `${at.bookings}?status=PENDING&from=2020-01-01&until=2020-01-02`),
    admin('booking-new', office('NEW')),
    admin('booking-started', office('STARTED')),
    admin('booking-complete', office('COMPLETE')),
    admin('booking-page', at.booking(bookings.COMPLETE?.id ?? '')),
    admin('columns', at.bookings, (page, say) =>
      page.getByText(say('table_columns'), { exact: true }).click(),
    ),
    admin('booking-flagged', `${at.bookings}?open=${flagged.id}`),
    admin('fare-review', `${at.bookings}?do=review~${flagged.id}`),
    admin('assign', `${at.bookings}?do=assign~${bookings.NEW?.id ?? ''}`),
    admin('amend', `${at.bookings}?do=amend~${bookings.NEW?.id ?? ''}`),
    admin('cancel', `${office('NEW')}&do=cancel~${bookings.NEW?.id ?? ''}`),
    admin('step', `${office('STARTED')}&do=step~${bookings.STARTED?.id ?? ''}`),
    admin('no-show', `${office('ARRIVED')}&do=no_show~${bookings.ARRIVED?.id ?? ''}`),
    admin('bulk-assigned', `${at.bookings}?status=NEW`, async (page, say) => {
      for (const row of [1, 2]) await page.getByRole('checkbox').nth(row).check()
      await createPressStep('bulk_assign')(page, say)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: say('bulk_assign') }).click()
      await dialog.getByRole('button', { name: say('done') }).waitFor()
    }),
    admin('recurring', at.recurring),
    admin('add-booking', at.addBooking),
    admin('add-booking-new-caller', at.addBooking, (page, say) =>
      page.getByRole('radio', { name: say('new_caller') }).check({ force: true }),
    ),
  ]
}

const listRecordScreens = ({ carType, promo }: Fixtures): ScreenSpec[] => [
  admin('riders', at.riders),
  admin('rider', `${at.riders}?edit=seed-rider`),
  admin('drivers', at.drivers),
  admin('driver', `${at.drivers}?edit=seed-driver`),
  admin('driver-wallet', `${at.drivers}?edit=seed-driver~wallet`),
  admin('driver-documents', `${at.drivers}?edit=seed-driver~documents`),
  admin('driver-new', `${at.drivers}?edit=new`),
  admin('fleet-admins', at.fleetAdmins),
  admin('admins', at.admins),
  admin('car-types', at.vehicleTypes),
  admin('car-type', `${at.vehicleTypes}?edit=${carType}`),
  admin('car-type-options', `${at.vehicleTypes}?edit=${carType}~options`),
  admin('car-type-slabs', `${at.vehicleTypes}?edit=${carType}~cancelSlab`),
  admin('cancel-reasons', at.cancellationReasons),
  admin('promos', at.promos),
  admin('promo', `${at.promos}?edit=${promo}`),
  admin('notifications', at.notifications),
  admin('notification-new', `${at.notifications}?edit=new`),
  admin('earning-reports', at.earningsReports),
  admin('driver-earning', at.driverEarnings),
  admin('add-to-wallet', at.addToWallet),
  admin('withdraws', at.withdrawals),
  admin('payments', at.payments),
  admin('settings', at.settings),
  admin('app-info', at.appInfo),
  admin('languages', at.languages),
  admin('language', `${at.languages}?edit=ar`),
  admin('language-texts', `${at.languages}?edit=pt~json`),
  admin('messages', at.messages),
  admin('message-texts', `${at.messages}?part=texts`),
  admin('audit', at.audit),
  admin('profile', at.profile),
]

/** Lists all screens by user. */
export const listScreens = (fixtures: Fixtures): ScreenSpec[] => [
  ...listVisitorScreens(fixtures),
  ...listRiderScreens(fixtures),
  ...listDriverScreens(fixtures),
  ...listFleetAdminScreens(),
  ...listOperationScreens(fixtures),
  ...listRecordScreens(fixtures),
]
