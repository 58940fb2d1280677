import {
  FEE_TYPES,
  SCREENS,
  type AuditEntry,
  type CancelReason,
  type CancelSlab,
  type CarType,
  type ChoiceOption,
  type InboxEntry,
  type Language,
  type Promo,
  type PushNotification,
  type Settings,
} from '~/domain/entities'
import {
  all,
  any,
  anything,
  asksAtMost,
  bool,
  each,
  isNew,
  isRemoved,
  key,
  leaf,
  list,
  matching,
  number,
  oneOf,
  optional,
  parts,
  record,
  text,
  time,
  url,
  whole,
  writableBy,
  type FieldsOf,
  type OptionalRule,
  type Rule,
} from '../language'
import { admin, editor, member, self, server } from '../who'

/** Rows are known by their key; some keep it as their id too. */
type Stored<Entity> = Omit<FieldsOf<Entity>, 'id' | 'createdAt'> & {
  id: OptionalRule
  createdAt: Rule
}

const amount = number(0, 1e9)
const handle = optional(text(0, 2000))
// Followed by whoever sees the home page: never a scheme a browser would run.
const storeLink = optional(
  text(0, 2000, any(`newData.val() === ''`, matching('^https?:\\/\\/[^\\s]+$'))),
)
const byOffice = any(server, editor)

const settingsFields = {
  appName: text(1, 100),
  CompanyName: text(1, 200),
  CompanyWebsite: text(1, 2000),
  CompanyTerms: text(1, 2000),
  contact_email: text(0, 254),
  FacebookHandle: handle,
  TwitterHandle: handle,
  InstagramHandle: handle,
  AppleStoreLink: storeLink,
  PlayStoreLink: storeLink,
  country: text(1, 100),
  restrictCountry: text(0, 2),
  symbol: text(1, 10),
  swipe_symbol: bool(),
  code: text(1, 3),
  decimal: whole(0, 4),
  convert_to_mile: bool(),
  otp_secure: bool(),
  driver_approval: bool(),
  bonus: amount,
  walletMoneyField: optional(text(0, 200)),
  AllowCountrySelection: bool(),
  CarHornRepeat: bool(),
  AllowDeliveryPickupImageCapture: bool(),
  AllowFinalDeliveryImageCapture: bool(),
  RiderWithDraw: bool(),
  horizontal_view: bool(),
  showLiveRoute: bool(),
  driverRadius: number(0, 20_000),
  autoDispatch: bool(),
  negativeBalance: bool(),
  bank_fields: bool(),
  panic: optional(text(0, 40)),
  // Read by the rules themselves, so no admin opens what whoever runs the installation closed.
  AllowCriticalEditsAdmin: bool(any(server, 'newData.val() === data.val()')),
  FacebookLoginEnabled: bool(),
  appcat: oneOf('taxi', 'delivery'),
  timezone: text(1, 60),
  dispatchMode: optional(oneOf('one_by_one', 'all')),
  dispatchSeconds: optional(number(1, 3600)),
} satisfies FieldsOf<Settings>
const settingsParts = Object.fromEntries(
  Object.entries(settingsFields).map(([name, rule]) => [name, writableBy(byOffice, rule)]),
)

// Everybody sees the settings before signing in; the office changes them, in demo mode nobody.
export const settings: Rule = parts(settingsParts, {
  read: 'true',
  create: server,
  update: byOffice,
})

// A language may not leave while it is the one everybody falls back to.
export const languages: Rule = each(
  '$language',
  record(
    {
      id: optional(key),
      langName: text(1, 100),
      langLocale: text(1, 20),
      dateLocale: text(1, 20),
      default: bool(),
      createdAt: optional(text(1, 40)),
      // A language without texts of its own falls back on every one.
      keyValuePairs: optional(each('$key', text(0, 5000))),
    } satisfies Omit<Stored<Language>, 'keyValuePairs'> & { keyValuePairs: OptionalRule },
    {
      create: byOffice,
      update: byOffice,
      remove: all(byOffice, `data.child('default').val() !== true`),
    },
  ),
  { read: 'true', indexOn: ['default', 'langLocale'] },
)

const choice = record({ description: text(1, 500), amount } satisfies FieldsOf<ChoiceOption>)
export const carTypes: Rule = each(
  '$carType',
  record(
    {
      id: optional(key),
      name: text(1, 100),
      image: optional(url),
      base_fare: amount,
      rate_per_unit_distance: amount,
      rate_per_hour: amount,
      min_fare: amount,
      convenience_fees: amount,
      convenience_fee_type: oneOf(...FEE_TYPES),
      extra_info: optional(text(0, 1000)),
      createdAt: optional(time()),
      parcelTypes: optional(list(choice)),
      options: optional(list(choice)),
      cancelSlab: optional(
        list(record({ minsDelayed: number(0, 100_000), amount } satisfies FieldsOf<CancelSlab>)),
      ),
    } satisfies Stored<CarType>,
    { create: byOffice, update: byOffice, remove: byOffice },
  ),
  { read: 'true', indexOn: ['name'] },
)

// The list is written whole: its values are its positions, and are renumbered when one goes.
export const cancelReasons: Rule = {
  ...list(
    record({
      label: text(1, 500),
      value: leaf(`newData.isNumber() && newData.val() + '' === $index`),
    } satisfies FieldsOf<CancelReason>),
  ),
  read: member,
  write: byOffice,
}

const promoFields = {
  id: optional(key),
  promo_name: text(1, 200),
  promo_description: text(0, 1000),
  promo_discount_type: oneOf(...FEE_TYPES),
  promo_discount_value: amount,
  max_promo_discount_value: amount,
  min_order: amount,
  promo_validity: time(),
  promo_usage_limit: whole(0, 1e9),
  createdAt: optional(time()),
} satisfies Omit<Stored<Promo>, 'user_avail'>
// The office makes promos, but how often one was used is counted, never typed.
export const promos: Rule = each(
  '$promo',
  record(
    {
      ...promoFields,
      // Of riders who come at once for the last use, one gets it. Giving one back always works.
      user_avail: {
        ...optional(whole(0, 1e9)),
        write: all(
          server,
          `newData.parent().child('promo_usage_limit').isNumber()`,
          any(
            `newData.val() <= newData.parent().child('promo_usage_limit').val()`,
            'newData.val() < data.val()',
          ),
        ),
      },
    },
    {
      create: all(any(server, admin), uncounted()),
      update: all(byOffice, uncounted()),
      remove: byOffice,
    },
  ),
  { read: member },
)

function uncounted() {
  return any(
    `newData.child('user_avail').val() === data.child('user_avail').val()`,
    all(isNew, `newData.child('user_avail').val() === 0`),
  )
}

// Messages to many: written down by the office, sent by a function.
export const notifications: Rule = each(
  '$notification',
  record(
    {
      id: optional(key),
      devicetype: oneOf('All', 'ANDROID', 'IOS'),
      usertype: oneOf('All', 'rider', 'driver'),
      title: text(1, 200),
      body: text(1, 1000),
      createdAt: time(),
    } satisfies Stored<PushNotification>,
    { read: admin, create: byOffice, remove: byOffice },
  ),
  { read: all(admin, asksAtMost(1000)), indexOn: ['createdAt'] },
)

// Who changed what, from what to what: an admin reads it, and not even a function rewrites it.
export const audit: Rule = each(
  '$entry',
  record(
    {
      at: time(),
      by: text(1, 128),
      action: text(1, 100),
      path: text(1, 500),
      from: optional(anything),
      to: optional(anything),
    } satisfies FieldsOf<AuditEntry>,
    { read: admin, create: server },
  ),
  { read: all(admin, asksAtMost(1000)), indexOn: ['at', 'by', 'path'] },
)

// Pushes as their receiver sees them in the app; he may only mark them read.
export const inbox: Rule = each(
  '$uid',
  each(
    '$entry',
    record(
      {
        title: text(1, 200),
        msg: text(0, 1000),
        params: optional(each('$param', leaf(any('newData.isString()', 'newData.isNumber()')))),
        screen: oneOf(...SCREENS),
        booking_id: optional(key),
        at: time(),
        read: {
          ...optional(leaf('newData.val() === true')),
          write: all(
            self('$uid'),
            member,
            'newData.val() === true',
            `data.parent().child('title').exists()`,
          ),
        },
      } satisfies FieldsOf<InboxEntry>,
      { create: server, remove: server },
    ),
    {
      read: all(self('$uid'), member),
      write: all(server, isRemoved),
      indexOn: ['at', 'read'],
    },
  ),
)
