import { LISTED, USER_TYPES, type LatLng, type SavedAddress, type User } from '~/domain/entities'
import {
  after,
  all,
  any,
  anything,
  asksAtMost,
  asksOwn,
  before,
  bool,
  each,
  key,
  leaf,
  matching,
  number,
  oneOf,
  optional,
  parts,
  record,
  text,
  url,
  whole,
  writableBy,
  type Condition,
  type FieldsOf,
  type Rule,
} from '../language'
import { admin, member, role, self, server } from '../who'
import { walletHistory } from './wallet'

export const latLng = { lat: number(-90, 90), lng: number(-180, 180) } satisfies FieldsOf<LatLng>

const notListed = `!${after(3, 'available_drivers/$uid')}.exists()`

// Nobody begins an account by one of its parts, and no late increment brings back one that was deleted.
const inAccount = <R extends Rule>(condition: Condition, rule: R) =>
  writableBy(all('data.parent().exists()', condition), rule)
const functionsAnd = (...others: Condition[]) => any(server, ...others)
const owner = all(self('$uid'), member)
const driverHimself = all(self('$uid'), role('driver'))

const ownersOnly = <R extends Rule>(rule: R) => inAccount(functionsAnd(owner), rule)
const driversOnly = <R extends Rule>(rule: R) => inAccount(functionsAnd(driverHimself), rule)
const functionsOnly = <R extends Rule>(rule: R) => inAccount(server, rule)
/**
 * Also the office, but never for itself, and only when no listing as available outlives the change. Each of these is
 * audited by a trigger; whatever else the office corrects goes through a function, which audits it.
 */
const office = <R extends Rule>(rule: R) =>
  inAccount(functionsAnd(all(admin, `auth.uid !== $uid`, notListed)), rule)

// A fleet admin who is one: the account a driver's record and earnings are opened to.
const fleetAdmin = leaf(
  all(
    'newData.isString()',
    `${before('users')}.child(newData.val()).child('usertype').val() === 'fleetadmin'`,
  ),
)

// Whose an e-mail is, under its hash: of two who come at once, one has it.
export const userEmails: Rule = each('$hash', {
  ...key,
  write: all(server, any('!data.exists()', '!newData.exists()', 'newData.val() === data.val()')),
})

const user = {
  // Who somebody is and what he may do: decided by the functions and the office, so that roles can be looked up here.
  id: functionsOnly(key),
  usertype: functionsOnly(oneOf(...USER_TYPES)),
  approved: office(bool()),
  fleetadmin: office(optional(fleetAdmin)),
  mobile: functionsOnly(text(0, 20)),
  createdAt: functionsOnly(text(1, 40)),
  createdByAdmin: functionsOnly(optional(bool())),
  referralId: functionsOnly(optional(text(1, 60))),
  signupViaReferral: functionsOnly(optional(text(1, 60))),
  referralRewarded: functionsOnly(optional(bool())),
  loginType: functionsOnly(optional(oneOf('facebook', 'apple', 'google'))),
  // The class he is paid by.
  carType: office(optional(key)),

  firstName: ownersOnly(text(0, 100)),
  lastName: ownersOnly(text(0, 100)),
  email: ownersOnly(
    text(0, 254, any(`newData.val() === ''`, matching('^[^@\\s]+@[^@\\s]+\\.[A-Za-z]+$'))),
  ),
  lang: ownersOnly(optional(record({ langLocale: text(1, 20), dateLocale: text(1, 20) }))),
  profile_image: ownersOnly(optional(url)),
  pushToken: ownersOnly(optional(text(1, 4096))),
  userPlatform: ownersOnly(optional(oneOf('ANDROID', 'IOS', 'WEB'))),
  bankName: ownersOnly(optional(text(0, 100))),
  bankCode: ownersOnly(optional(text(0, 60))),
  bankAccount: ownersOnly(optional(text(0, 60))),

  vehicleMake: driversOnly(optional(text(0, 100))),
  vehicleModel: driversOnly(optional(text(0, 100))),
  vehicleNumber: driversOnly(optional(text(0, 30))),
  other_info: driversOnly(optional(text(0, 1000))),
  licenseImage: driversOnly(optional(url)),

  // Off duty means off the list of available drivers, in the same write.
  driverActiveStatus: inAccount(
    functionsAnd(all(driverHimself, any('newData.val() === true', notListed))),
    optional(bool()),
  ),
  location: inAccount(functionsAnd(driverHimself), optional(record(latLng))),
  // A free driver is taken once: whoever comes second to set it finds it set, and his whole write is refused.
  queue: inAccount(
    all(server, any('newData.val() !== true', 'data.val() !== true')),
    optional(bool()),
  ),
  ratings: functionsOnly(
    optional(
      record({
        userrating: number(0, 5),
        // Of two ratings given at once the second is refused, and its average made again with the first in it.
        count: optional(whole(1, 1e9, any('!data.exists()', 'newData.val() === data.val() + 1'))),
        details: optional(each('$rating', record({ user: text(0, 200), rate: whole(1, 5) }))),
      }),
    ),
  ),

  walletBalance: functionsOnly(number(-1e9, 1e9)),
  walletHistory: optional(walletHistory),

  savedAddresses: functionsOnly(
    optional(
      each(
        '$address',
        record({
          ...latLng,
          description: text(1, 500),
          count: whole(1, 1e9),
        } satisfies FieldsOf<SavedAddress>),
      ),
    ),
  ),
  notifications: functionsOnly(optional(each('$notification', anything))),
} satisfies FieldsOf<User>

export const users: Rule = each(
  '$uid',
  parts(user, {
    read: any(
      self('$uid'),
      admin,
      all(`data.child('fleetadmin').val() === auth.uid`, role('fleetadmin')),
    ),
    // A new wallet holds nothing that its history does not explain.
    create: all(
      server,
      `newData.child('walletBalance').val() === 0`,
      `!newData.child('walletHistory').exists()`,
    ),
    // An account that is gone leaves no driver on a trip without one.
    remove: all(server, `data.child('queue').val() !== true`),
  }),
  {
    // The office reads pages; a fleet admin only who drives for him.
    read: any(all(admin, asksAtMost(1000)), all(asksOwn('fleetadmin'), role('fleetadmin'))),
    indexOn: [
      'usertype',
      'fleetadmin',
      'firstName',
      'lastName',
      'mobile',
      'email',
      'referralId',
      'pushToken',
      'createdAt',
    ],
  },
)

// What the office finds people by. The list says what the records say, whoever writes it: nobody takes a part off his own
// line, and the fleet he drives for with it.
const listed = Object.fromEntries(
  LISTED.map((field) => {
    const asRecorded = `newData.val() === ${after(3, `users/$uid/${field}`)}.val()`
    const rule = leaf(asRecorded)
    const part = user[field].optional === true ? optional(rule) : rule
    return [field, writableBy(all(functionsAnd(owner), asRecorded), part)]
  }),
)

// A single part may be written where there is no line yet: a record can be older than the list.
export const people: Rule = each(
  '$uid',
  parts(listed, { create: server, update: server, remove: server }),
  {
    read: any(all(admin, asksAtMost(1000)), all(asksOwn('fleetadmin'), role('fleetadmin'))),
    indexOn: ['usertype', 'fleetadmin', 'firstName', 'lastName', 'mobile', 'email'],
  },
)
