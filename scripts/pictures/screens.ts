import type { Page } from 'playwright-core'
import type { Status } from '~/domain/entities'
import { screens as at } from '~/src/store/screens'
import type { Cast } from './cast'

/** The words of a key in the language the picture is taken in. */
export type Say = (key: string) => string

/** One thing to photograph: who opens what, and what he does there first. */
export interface Subject {
  /** Group and name, such as 'rider/wallet'. */
  name: string
  /** Null is a visitor. */
  uid: string | null
  path: string
  steps?: (page: Page, say: Say) => Promise<unknown>
  /** For a step that only one layout has. */
  size?: 'phone' | 'desktop'
  /** Refused requests that belong to it: status and path. */
  expects?: RegExp
  /** Not one of our pages: it has one language and one look. */
  foreign?: true
}

const press = (key: string) => (page: Page, say: Say) =>
  page
    .getByRole('button', { name: say(key), exact: true })
    .first()
    .click()

const PLACES = [
  ['pickup', 'plaza independencia', /Plaza Independencia/i],
  ['drop', 'montevideo shopping', /Montevideo Shopping/i],
] as const

/** The booking form with a way and a vehicle. */
const fillForm = async (page: Page, say: Say) => {
  for (const [field, words, found] of PLACES) {
    await page.getByRole('combobox', { name: say(field), exact: true }).fill(words)
    await page.getByRole('option', { name: found }).first().click()
  }
  await page.getByRole('radio', { name: /Courier/ }).check({ force: true })
  // With the way comes the price.
  await page
    .getByText(/\d.*(km|كم|ק״מ|किमी)/)
    .first()
    .waitFor()
}
const toExtras = async (page: Page, say: Say) => {
  await fillForm(page, say)
  await press('Book Now')(page, say)
  await page.getByRole('dialog').waitFor()
}
const toEstimate = async (page: Page, say: Say) => {
  await toExtras(page, say)
  await press('extras_continue')(page, say)
}

/** Everything there is to see, by whom. */
export const subjectsOf = (cast: Cast): Subject[] => {
  const { bookings, payment } = cast
  const each = (
    group: string,
    who: 'customer' | 'driver',
    names: readonly (readonly [Status, string, Subject['steps']?])[],
    path: (id: string) => string,
  ): Subject[] =>
    names.flatMap(([status, name, steps]) => {
      const booking = bookings[status]
      const uid = booking?.[who]
      return booking && uid
        ? [{ name: `${group}/${name}`, uid, path: path(booking.id), ...(steps && { steps }) }]
        : []
    })
  const admin = (name: string, path: string, steps?: Subject['steps']): Subject => ({
    name: `admin/${name}`,
    uid: 'seed-admin',
    path,
    ...(steps && { steps }),
  })
  const office = (status: Status) => `${at.bookings}?open=${bookings[status]?.id ?? ''}`
  return [
    { name: 'visitor/home', uid: null, path: at.home },
    { name: 'visitor/home-menu', uid: null, path: at.home, steps: press('menu'), size: 'phone' },
    {
      name: 'visitor/languages',
      uid: null,
      path: at.home,
      steps: async (page, say) => {
        await press('choose_language')(page, say)
        await page.getByRole('dialog').getByRole('button', { pressed: true }).waitFor()
      },
    },
    { name: 'visitor/home-filled', uid: null, path: at.home, steps: fillForm },
    { name: 'visitor/about', uid: null, path: at.about },
    { name: 'visitor/privacy', uid: null, path: at.privacy },
    { name: 'visitor/login', uid: null, path: at.login },
    {
      name: 'visitor/login-code',
      uid: null,
      // The Auth emulator knows no captcha.
      expects: /^501 .*recaptcha/i,
      path: at.login,
      steps: async (page, say) => {
        await page.getByLabel(say('mobile'), { exact: true }).fill('+15555550103')
        await press('get_code')(page, say)
        await page.getByLabel(say('code_label')).waitFor()
      },
    },
    { name: 'visitor/driver-sign-up', uid: null, path: at.driverSignUp },
    { name: 'visitor/track', uid: null, path: at.track(cast.shareToken) },
    {
      name: 'visitor/track-unknown',
      uid: null,
      path: at.track('nothing-here-under-this-name'),
      expects: /^404 .*track/,
    },

    {
      name: 'rider/home-filled',
      uid: 'seed-rider',
      path: at.home,
      steps: fillForm,
    },
    { name: 'rider/extras', uid: 'seed-rider', path: at.home, steps: toExtras },
    { name: 'rider/estimate', uid: 'seed-rider', path: at.home, steps: toEstimate },
    { name: 'rider/bookings', uid: 'seed-rider', path: `${at.bookings}?tab=past` },
    { name: 'rider/bookings-table', uid: 'seed-rider', path: `${at.bookings}?tab=past&view=table` },
    { name: 'rider/bookings-empty', uid: 'seed-rider', path: at.bookings },
    ...each(
      'rider',
      'customer',
      [
        ['PAYMENT_PENDING', 'booking-unpaid'],
        ['PAYMENT_PENDING', 'payment', press('pay_now')],
        ['NEW', 'booking-new'],
        ['NEW', 'booking-cancel', press('cancel_booking')],
        ['ACCEPTED', 'booking-accepted'],
        ['ARRIVED', 'booking-arrived'],
        ['STARTED', 'booking-started', press('share_make')],
        ['PENDING', 'booking-pending'],
        ['PAID', 'booking-paid'],
        ['COMPLETE', 'booking-complete'],
        ['CANCELLED', 'booking-cancelled'],
      ],
      at.booking,
    ),
    ...each('rider', 'customer', [['STARTED', 'chat']], at.chat),
    { name: 'rider/wallet', uid: 'seed-rider', path: at.wallet },
    { name: 'rider/wallet-top-up', uid: 'seed-rider', path: `${at.wallet}?tab=topup` },
    {
      name: 'rider/test-bank',
      uid: null,
      path: at.home,
      foreign: true,
      steps: async (page) => {
        await page.evaluate(
          ({ url, payment_id, uid }) => {
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
          },
          { ...payment, uid: 'seed-rider' },
        )
        await page.locator('button[value="pay"]').waitFor()
      },
    },
    {
      name: 'rider/payment-return',
      uid: 'seed-rider',
      path: `${at.paymentReturn}?payment=${payment.payment_id}`,
    },
    { name: 'rider/profile', uid: 'seed-rider', path: at.profile },
    ...each(
      'rider',
      'customer',
      [
        [
          'COMPLETE',
          'inbox',
          // Its name also says how many are new.
          (page, say) => page.getByRole('button', { name: new RegExp(say('inbox')) }).click(),
        ],
      ],
      () => at.bookings,
    ),

    { name: 'driver/trips', uid: 'seed-driver', path: at.trips },
    { name: 'driver/trips-asked', uid: cast.asked, path: at.trips },
    ...each(
      'driver',
      'driver',
      [
        ['ACCEPTED', 'trips-accepted'],
        ['ARRIVED', 'trips-arrived'],
        ['ARRIVED', 'trips-code', press('do_start')],
        ['STARTED', 'trips-started'],
        ['REACHED', 'trips-reached'],
        ['PENDING', 'trips-collect'],
      ],
      () => at.trips,
    ),
    { name: 'driver/trips-waiting-for-approval', uid: 'seed-driver-pending', path: at.trips },
    ...each('driver', 'driver', [['ACCEPTED', 'bookings']], () => at.bookings),
    ...each('driver', 'driver', [['STARTED', 'booking']], at.booking),
    ...each('driver', 'driver', [['STARTED', 'chat']], at.chat),
    { name: 'driver/earnings', uid: 'seed-driver', path: at.wallet },
    { name: 'driver/statement', uid: 'seed-driver', path: `${at.wallet}?tab=statement` },
    { name: 'driver/withdraw', uid: 'seed-driver', path: `${at.wallet}?tab=withdraw` },
    { name: 'driver/profile', uid: 'seed-driver', path: at.profile },
    { name: 'driver/vehicle', uid: 'seed-driver', path: at.vehicle },

    ...(
      [
        ['dashboard', at.dashboard],
        ['bookings', at.bookings],
        ['drivers', at.drivers],
        ['driver', `${at.drivers}?edit=seed-driver`],
        ['driver-earning', at.driverEarning],
        ['profile', at.profile],
      ] as const
    ).map(([name, path]) => ({ name: `fleetadmin/${name}`, uid: 'seed-fleetadmin', path })),

    admin('dashboard', at.dashboard),
    admin('dashboard-months', `${at.dashboard}?by=month`),
    { ...admin('menu', at.dashboard, press('menu')), size: 'phone' },
    admin('palette', at.dashboard, (page) => page.keyboard.press('Control+k')),
    admin('shortcuts', at.dashboard, (page) => page.keyboard.press('?')),
    admin('languages-choice', at.dashboard, press('choose_language')),
    admin('bookings', at.bookings),
    admin('bookings-filters', `${at.bookings}?status=COMPLETE`, press('filters')),
    admin('bookings-nothing', `${at.bookings}?status=PENDING&from=2020-01-01&until=2020-01-02`),
    admin('booking-new', office('NEW')),
    admin('booking-started', office('STARTED')),
    admin('booking-complete', office('COMPLETE')),
    admin('booking-page', at.booking(bookings.COMPLETE?.id ?? '')),
    admin('columns', at.bookings, (page, say) =>
      page.getByText(say('table_columns'), { exact: true }).click(),
    ),
    admin('assign', `${at.bookings}?do=assign~${bookings.NEW?.id ?? ''}`),
    admin('cancel', `${office('NEW')}&do=cancel~${bookings.NEW?.id ?? ''}`),
    admin('bulk-assigned', `${at.bookings}?status=NEW`, async (page, say) => {
      for (const row of [1, 2]) await page.getByRole('checkbox').nth(row).check()
      await press('bulk_assign')(page, say)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: say('bulk_assign') }).click()
      await dialog.getByRole('button', { name: say('done') }).waitFor()
    }),
    admin('add-booking', at.addBooking),
    admin('riders', at.riders),
    admin('rider', `${at.riders}?edit=seed-rider`),
    admin('drivers', at.drivers),
    admin('driver', `${at.drivers}?edit=seed-driver`),
    admin('driver-wallet', `${at.drivers}?edit=seed-driver~wallet`),
    admin('driver-documents', `${at.drivers}?edit=seed-driver~documents`),
    admin('driver-new', `${at.drivers}?edit=new`),
    admin('fleet-admins', at.fleetAdmins),
    admin('admins', at.admins),
    admin('car-types', at.carTypes),
    admin('car-type', `${at.carTypes}?edit=${cast.carType}`),
    admin('car-type-options', `${at.carTypes}?edit=${cast.carType}~options`),
    admin('car-type-slabs', `${at.carTypes}?edit=${cast.carType}~cancelSlab`),
    admin('cancel-reasons', at.cancelReasons),
    admin('promos', at.promos),
    admin('promo', `${at.promos}?edit=${cast.promo}`),
    admin('notifications', at.notifications),
    admin('notification-new', `${at.notifications}?edit=new`),
    admin('earning-reports', at.earningReports),
    admin('driver-earning', at.driverEarning),
    admin('add-to-wallet', at.addToWallet),
    admin('withdraws', at.withdraws),
    admin('payments', at.payments),
    admin('settings', at.settings),
    admin('app-info', at.appInfo),
    admin('languages', at.languages),
    admin('language', `${at.languages}?edit=ar`),
    admin('language-texts', `${at.languages}?edit=pt~json`),
    admin('audit', '/audit'),
    admin('profile', at.profile),
  ]
}
