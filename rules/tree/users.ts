import {
  USER_TYPES,
  type LatLng,
  type SavedAddress,
  type User,
  type WalletEntry,
} from '~/domain/entities'
import {
  after,
  all,
  any,
  anything,
  asksAtMost,
  asksOwn,
  bool,
  each,
  has,
  key,
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
  type Rule,
} from '../language'
import { admin, member, role, self, server } from '../who'

export const latLng = { lat: number(-90, 90), lng: number(-180, 180) } satisfies FieldsOf<LatLng>

const notListed = `!${after(3, 'available_drivers/$uid')}.exists()`

// What its owner may write, if the account is in use; a person without a profile has nothing to write here.
const owner = all(self('$uid'), member)
const driverHimself = all(self('$uid'), role('driver'))
const functionsAnd = (...others: string[]) => any(server, ...others)

const mineAndTheirs = <R extends Rule>(rule: R) => writableBy(functionsAnd(owner, admin), rule)
const ownersOnly = <R extends Rule>(rule: R) => writableBy(functionsAnd(owner), rule)
const driversAndTheirs = <R extends Rule>(rule: R) =>
  writableBy(functionsAnd(driverHimself, admin), rule)
const functionsOnly = <R extends Rule>(rule: R) => writableBy(server, rule)
/** Also the office, but never for itself, and only when no listing as available outlives the change. */
const office = <R extends Rule>(rule: R) =>
  writableBy(functionsAnd(all(admin, `auth.uid !== $uid`, notListed)), rule)

// The moved balance of a new entry's owner, in which an entry that is not money out of hand must be contained.
const balanceAfter = `newData.parent().parent().child('walletBalance')`
const spendsWhatIsThere = any(
  `${balanceAfter}.val() >= 0`,
  // A cancellation fee and the cash a driver holds may take a wallet below zero; these may not.
  `!(newData.child('type').val() === 'Withdraw' || (newData.child('type').val() === 'Debit' && $entry.endsWith('-wallet')))`,
)

// Money moves once for each entry, and never without one. An entry is never changed and never removed.
const walletHistory = each(
  '$entry',
  record(
    {
      type: oneOf('Credit', 'Debit', 'Withdraw'),
      amount: number(0, 1e9, 'newData.val() > 0'),
      date: time(),
      txRef: text(1, 200),
    } satisfies FieldsOf<WalletEntry>,
    { create: all(server, `${balanceAfter}.isNumber()`, spendsWhatIsThere) },
  ),
)

export const users: Rule = each(
  '$uid',
  parts(
    {
      // Who somebody is and what he may do: decided by the functions and the office, so that roles can be looked up here.
      id: functionsOnly(key),
      usertype: functionsOnly(oneOf(...USER_TYPES)),
      approved: office(bool()),
      fleetadmin: office(optional(key)),
      mobile: functionsOnly(text(0, 20)),
      createdAt: functionsOnly(text(1, 40)),
      createdByAdmin: functionsOnly(optional(bool())),
      referralId: functionsOnly(optional(text(1, 60))),
      signupViaReferral: functionsOnly(optional(text(1, 60))),
      referralRewarded: functionsOnly(optional(bool())),
      loginType: functionsOnly(optional(oneOf('facebook', 'apple', 'google'))),
      // The class he is paid by.
      carType: office(optional(key)),

      firstName: mineAndTheirs(text(0, 100)),
      lastName: mineAndTheirs(text(0, 100)),
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

      vehicleMake: driversAndTheirs(optional(text(0, 100))),
      vehicleModel: driversAndTheirs(optional(text(0, 100))),
      vehicleNumber: driversAndTheirs(optional(text(0, 30))),
      other_info: driversAndTheirs(optional(text(0, 1000))),
      licenseImage: driversAndTheirs(optional(url)),

      // Off duty means off the list of available drivers, in the same write.
      driverActiveStatus: writableBy(
        functionsAnd(all(driverHimself, any('newData.val() === true', notListed))),
        optional(bool()),
      ),
      location: writableBy(functionsAnd(driverHimself), optional(record(latLng))),
      // A free driver is taken once: whoever comes second to set it finds it set, and his whole write is refused.
      queue: writableBy(
        all(server, any('newData.val() !== true', 'data.val() !== true')),
        optional(bool()),
      ),
      ratings: functionsOnly(
        optional(
          record({
            userrating: number(0, 5),
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
    } satisfies FieldsOf<User>,
    {
      read: any(
        self('$uid'),
        admin,
        all(`data.child('fleetadmin').val() === auth.uid`, role('fleetadmin')),
      ),
      // A new wallet holds nothing that its history does not explain.
      create: all(
        server,
        any(`newData.child('walletBalance').val() === 0`, has(['walletHistory'])),
      ),
      // An account that is gone leaves no driver on a trip without one.
      remove: all(server, `data.child('queue').val() !== true`),
    },
  ),
  {
    // The office reads pages; a fleet admin only who drives for him.
    read: any(all(admin, asksAtMost(1000)), all(asksOwn('fleetadmin'), role('fleetadmin'))),
    indexOn: ['usertype', 'fleetadmin', 'mobile', 'email', 'referralId', 'createdAt'],
  },
)
