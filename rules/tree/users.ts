import { DEMO_HIDDEN_FIELDS } from '~/domain/access/permissions'
import {
  afterWrite,
  all,
  isAmong,
  any,
  anyJsonRule,
  isQueryLimitedTo,
  isPagedQueryOfOwnRows,
  isQueryOfOwnRows,
  beforeWrite,
  booleanRule,
  collectionRule,
  hasParts,
  hasRecord,
  isNew,
  isRemoved,
  keyRule,
  valueRule,
  isMatching,
  numberRule,
  choiceRule,
  trueRule,
  makeOptional,
  editablePartsRule,
  recordRule,
  isKept,
  textRule,
  timestampRule,
  isUnchanged,
  urlRule,
  withValidation,
  integerRule,
  withWriteCondition,
  type Condition,
  type FieldsOf,
  type Rule,
} from '../ruleBuilders'
import {
  isAdmin,
  arePeopleOpen,
  isMember,
  hasRole,
  isSelf,
  isServer,
  requesterRole,
} from '../requester'
import { walletHistory, walletMove, isWalletMoved } from './wallet'
import {
  DIRECTORY_FIELDS,
  type ClosedAccount,
  type FormerUser,
  type PushDevice,
  type SavedAddress,
  type User,
} from '~/domain/accounts/types'
import { USER_TYPES } from '~/domain/access/types'
import type { LatLng } from '~/domain/geo/types'

export const latLngFields = {
  lat: numberRule(-90, 90),
  lng: numberRule(-180, 180),
} satisfies FieldsOf<LatLng>

/**
 * Holds when a car exists under the driver's new (`newData`) or old (`data`) key after the write.
 */
function hasNearbyCar(state: 'data' | 'newData'): Condition {
  return `${afterWrite(3, `nearby_cars/{${state}.val()}`)}.exists()`
}

const isNotAvailable = `!${afterWrite(3, 'available_drivers/$uid')}.exists()`

// Writing a single part cannot create an account, and a late increment cannot restore a deleted
// one.
const requireAccount = <R extends Rule>(condition: Condition, rule: R) =>
  withWriteCondition(all(hasRecord, condition), rule)
const isServerOr = (...others: Condition[]) => any(isServer, ...others)
const isOwner = all(isSelf('$uid'), isMember)
const isOwnDriverAccount = all(isSelf('$uid'), hasRole('driver'))

const writableByOwner = <R extends Rule>(rule: R) => requireAccount(isServerOr(isOwner), rule)
const writableByServer = <R extends Rule>(rule: R) => requireAccount(isServer, rule)
// The account that may view a driver's record and earnings; it must belong to a fleet admin.
const fleetAdmin = valueRule(
  all(
    'newData.isString()',
    `${beforeWrite('users/{newData.val()}/usertype')}.val() === 'fleetadmin'`,
  ),
)

const getUserField = (field: 'usertype' | 'approved') =>
  `${afterWrite(2, `users/$uid/${field}`)}.val()`
/**
 * The role that every rule looks up: the user type while the account is approved, otherwise
 * nothing. A write of a role must match the record, and a write of `approved` or `usertype` must
 * match the role, so both always change together. The office decides through a function, which asks
 * for a fresh sign-in, ends the sessions of a blocked person and writes the audit.
 */
export const roles: Rule = collectionRule('$uid', {
  ...choiceRule(...USER_TYPES),
  write: all(
    isServer,
    `(${getUserField('approved')} === true ? newData.val() === ${getUserField('usertype')} : ${isRemoved})`,
  ),
})
const roleAfter = afterWrite(3, 'roles/$uid')
const isRoleConsistent = (approved: string, usertype: string): Condition =>
  `(${approved} === true ? ${roleAfter}.val() === ${usertype} : !${roleAfter}.exists())`
const getSiblingField = (field: 'usertype' | 'approved') =>
  `newData.parent().child('${field}').val()`

const newOwnerEmail = `${afterWrite(2, 'users/{newData.val()}/email')}.val()`
// The owner of an email address, under the address's hash. Of two simultaneous claims, one is
// refused. An address can move only to a profile that gets it in the same write, and only from a
// profile that no longer has it after the write and whose claim was not verified.
export const userEmails: Rule = collectionRule('$hash', {
  ...keyRule,
  write: all(
    isServer,
    any(
      isNew,
      isRemoved,
      isUnchanged,
      all(
        `${afterWrite(2, 'users/{data.val()}/email')}.val() !== ${newOwnerEmail}`,
        `${beforeWrite('users/{newData.val()}/email')}.val() !== ${newOwnerEmail}`,
        `${beforeWrite('users/{data.val()}/emailVerified')}.val() !== true`,
      ),
    ),
  ),
})

// The devices that receive pushes, each under its token's hash, so that a token belongs to one
// account. The account names its newest device: a registration moves or goes only with that name.
// Of two simultaneous takeovers, one is refused.
export const pushTokens: Rule = collectionRule(
  '$hash',
  {
    ...recordRule({
      uid: keyRule,
      token: textRule(0, 4096),
      platform: makeOptional(choiceRule('ANDROID', 'IOS', 'WEB')),
      // Only the functions' clock writes it, so the file spends no bytes on its range.
      at: valueRule('newData.isNumber()'),
    } satisfies FieldsOf<PushDevice>),
    write: all(
      isServer,
      any(
        isNew,
        `newData.child('uid').val() === data.child('uid').val()`,
        `${afterWrite(2, "internal/named_devices/{data.child('uid').val()}/token")}.val() !== data.child('token').val()`,
      ),
    ),
  },
  { indexOn: ['uid'] },
)

// A sign-up with an unverified phone number, under the number's hash. Only functions can read it.
// It can be used once: the second of two removals is refused.
export const pendingRegistrations: Rule = collectionRule(
  '$hash',
  recordRule(
    { expires: timestampRule(), registration: textRule(2, 8000) },
    { create: isServer, update: isServer, remove: all(isServer, 'data.exists()') },
  ),
  { indexOn: ['expires'] },
)

const user = {
  // Identity and permissions.
  id: writableByServer(keyRule),
  usertype: writableByServer(
    withValidation(
      isRoleConsistent(getSiblingField('approved'), 'newData.val()'),
      choiceRule(...USER_TYPES),
    ),
  ),
  approved: writableByServer(
    booleanRule(isRoleConsistent('newData.val()', getSiblingField('usertype'))),
  ),
  fleetadmin: writableByServer(makeOptional(fleetAdmin)),
  mobile: writableByServer(textRule(0, 20)),
  createdAt: writableByServer(textRule(1, 40)),
  createdByAdmin: writableByServer(makeOptional(booleanRule())),
  referralId: writableByServer(makeOptional(textRule(1, 60))),
  signupViaReferral: writableByServer(makeOptional(textRule(1, 60))),
  referralRewarded: writableByServer(makeOptional(booleanRule())),
  formerPromos: writableByServer(makeOptional(collectionRule('$promo', trueRule))),
  formerPhones: writableByServer(makeOptional(collectionRule('$hash', trueRule))),
  sessionsEnd: writableByServer(makeOptional(valueRule('newData.isNumber()'))),
  loginType: writableByServer(makeOptional(choiceRule('facebook', 'apple', 'google'))),
  // The vehicle type that determines the driver's pay.
  carType: writableByServer(makeOptional(keyRule)),

  // A function checks that an email address is free, and protects the data with which the back
  // office approved a driver.
  firstName: writableByServer(textRule(0, 100)),
  lastName: writableByServer(textRule(0, 100)),
  email: writableByServer(textRule(0, 254, isMatching('^([^@\\s]+@[^@\\s]+\\.[A-Za-z]+)?$'))),
  emailVerified: writableByServer(makeOptional(booleanRule())),
  lang: writableByOwner(
    makeOptional(recordRule({ langLocale: textRule(1, 20), dateLocale: textRule(1, 20) })),
  ),
  // A function checks that a picture is the owner's file in our bucket, which these rules cannot
  // name.
  profile_image: writableByServer(makeOptional(urlRule)),
  // A function tells the owner of a change, and lets payouts wait after it.
  bankName: writableByServer(makeOptional(textRule(0, 100))),
  bankCode: writableByServer(makeOptional(textRule(0, 60))),
  bankAccount: writableByServer(makeOptional(textRule(0, 60))),

  // The back office approves a driver based on these fields, so a function resets the approval when
  // they change.
  vehicleMake: writableByServer(makeOptional(textRule(0, 100))),
  vehicleModel: writableByServer(makeOptional(textRule(0, 100))),
  vehicleNumber: writableByServer(makeOptional(textRule(0, 30))),
  other_info: writableByServer(makeOptional(textRule(0, 1000))),
  licenseImage: writableByServer(makeOptional(urlRule)),

  // A driver who goes off duty must leave the list of available drivers in the same write.
  driverActiveStatus: requireAccount(
    isServerOr(all(isOwnDriverAccount, any('newData.val() === true', isNotAvailable))),
    makeOptional(booleanRule()),
  ),
  location: requireAccount(isServerOr(isOwnDriverAccount), makeOptional(recordRule(latLngFields))),
  // The key of the car on the riders' map. It changes only together with the car, so that no car
  // remains. A new key must be unused, so that a driver cannot take over another car. The rule of
  // the car allows only a driver to create one.
  shift: requireAccount(
    all(
      isServerOr(isOwnDriverAccount),
      any(
        isRemoved,
        all(hasNearbyCar('newData'), `!${beforeWrite('nearby_cars/{newData.val()}')}.exists()`),
      ),
      any(isNew, `!${hasNearbyCar('data')}`),
    ),
    makeOptional(keyRule),
  ),
  // A free driver is taken once: the second write finds the flag set and is refused completely. A
  // driver who loses the approval at the same moment is not taken. A request made at the same
  // moment must be withdrawn too, so that a busy driver has none.
  queue: requireAccount(
    all(
      isServer,
      any(
        'newData.val() !== true',
        all(
          'data.val() !== true',
          `newData.parent().child('approved').val() === true`,
          `!${afterWrite(3, 'driver_tasks/$uid')}.exists()`,
        ),
      ),
    ),
    makeOptional(booleanRule()),
  ),
  ratings: writableByServer(
    makeOptional(
      recordRule({
        userrating: numberRule(0, 5),
        // Of two simultaneous ratings, the second is refused and its average is recalculated with
        // the first included.
        count: makeOptional(
          integerRule(1, 1e9, any('!data.exists()', 'newData.val() === data.val() + 1')),
        ),
        details: makeOptional(
          collectionRule(
            '$rating',
            recordRule({ user: textRule(0, 200), rate: integerRule(1, 5) }),
          ),
        ),
      }),
    ),
  ),

  walletBalance: withWriteCondition(isWalletMoved, numberRule(-1e9, 1e9)),
  walletHistory: makeOptional(walletHistory),
  walletMove,

  savedAddresses: writableByServer(
    makeOptional(
      collectionRule(
        '$address',
        recordRule({
          ...latLngFields,
          description: textRule(1, 500),
          count: integerRule(1, 1e9),
        } satisfies FieldsOf<SavedAddress>),
      ),
    ),
  ),
  notifications: writableByServer(makeOptional(collectionRule('$notification', anyJsonRule))),
} satisfies FieldsOf<User>

/** Holds for an admin, and for the fleet admin of the record at a place. */
const isOfficeOf = (record: string): Condition =>
  `${requesterRole}.val() === (${record}.child('fleetadmin').val() === auth.uid ? 'fleetadmin' : 'admin')`
/** In demo mode the office reads a person field by field. */
const officeFields = Object.fromEntries(
  Object.entries(user).map(([name, rule]): [string, Rule] => [
    name,
    (DEMO_HIDDEN_FIELDS as readonly string[]).includes(name)
      ? rule
      : { ...rule, read: isOfficeOf('data.parent()') },
  ]),
)

export const users: Rule = collectionRule(
  '$uid',
  editablePartsRule(officeFields, {
    read: any(isSelf('$uid'), all(arePeopleOpen, isOfficeOf('data'))),
    // A new wallet is empty, because no history explains money in it. A closed account stays
    // closed.
    create: all(
      isServer,
      `!${beforeWrite('closed_accounts/$uid')}.exists()`,
      `newData.child('walletBalance').val() === 0`,
      `!newData.child('walletHistory').exists()`,
    ),
    // A removed account leaves no role, no trip without a driver and no car on the riders' map. The
    // same write records the waived balance, which cannot be a debt. A credit at the last moment
    // stops the removal.
    remove: all(
      isServer,
      `data.child('walletBalance').val() === ${afterWrite(2, 'closed_accounts/$uid/waived')}.val()`,
      `data.child('queue').val() !== true`,
      `!${afterWrite(2, 'roles/$uid')}.exists()`,
      any(
        `!data.child('shift').exists()`,
        `!${afterWrite(2, "nearby_cars/{data.child('shift').val()}")}.exists()`,
      ),
    ),
  }),
  {
    // The back office reads pages; a fleet admin reads only their own drivers.
    read: all(
      arePeopleOpen,
      any(
        all(isAdmin, isQueryLimitedTo(1000)),
        isQueryOfOwnRows('fleetadmin', hasRole('fleetadmin')),
      ),
    ),
    indexOn: [
      'usertype',
      'fleetadmin',
      'firstName',
      'lastName',
      'mobile',
      'email',
      'referralId',
      'createdAt',
      'walletBalance',
    ],
  },
)

// The remains of a deleted account. They are written when its record is removed and never changed.
export const closedAccounts: Rule = collectionRule(
  '$uid',
  editablePartsRule(
    {
      at: timestampRule(),
      // Floating-point rounding errors in a balance are not a debt.
      waived: numberRule(-0.000001, 1e9),
      open: { ...makeOptional(trueRule), write: all(isServer, isRemoved) },
    } satisfies FieldsOf<ClosedAccount>,
    {
      create: all(isServer, `!${afterWrite(2, 'users/$uid')}.exists()`),
    },
  ),
  { indexOn: ['open'] },
)

// One-time benefits, kept for two years after a deletion.
export const formerUsers: Rule = collectionRule(
  '$hash',
  recordRule(
    {
      at: timestampRule(),
      promos: makeOptional(collectionRule('$promo', trueRule)),
      referred: makeOptional(trueRule),
    } satisfies FieldsOf<FormerUser>,
    { create: isServer, update: isServer, remove: isServer },
  ),
  { indexOn: ['at'] },
)

// The fields that the back office searches people by. Each one must equal the record's field,
// regardless of the writer, so that drivers can't remove parts of their entry, such as their fleet.
const isSameAsUserField = `newData.val() === ${afterWrite(3, 'users/$uid/$field')}.val()`
const OPTIONAL_DIRECTORY_FIELDS = DIRECTORY_FIELDS.filter(
  (field) => user[field].isOptional === true,
)
const REQUIRED_DIRECTORY_FIELDS = DIRECTORY_FIELDS.filter(
  (field) => !OPTIONAL_DIRECTORY_FIELDS.includes(field),
)

// A list reads the keys of one user type; the name in it is folded.
const isSortKeyOfType = `newData.val().beginsWith(${afterWrite(3, 'users/$uid/usertype')}.val() + '~')`

// A single part may be written before its entry exists, because a record can be older than the
// directory.
export const people: Rule = collectionRule(
  '$uid',
  {
    write: all(isServer, any(isRemoved, hasParts(REQUIRED_DIRECTORY_FIELDS))),
    children: {
      $field: {
        write: all(
          isServer,
          any(isKept, isAmong(OPTIONAL_DIRECTORY_FIELDS, '$field')),
          any(`$field === 'sortKey'`, isSameAsUserField),
        ),
        validate: any(
          all(isAmong(DIRECTORY_FIELDS, '$field'), isSameAsUserField),
          all(`$field === 'sortKey'`, isSortKeyOfType),
        ),
      },
    },
  },
  {
    read: all(
      arePeopleOpen,
      any(
        all(isAdmin, isQueryLimitedTo(1000)),
        isPagedQueryOfOwnRows('fleetadmin', hasRole('fleetadmin')),
      ),
    ),
    indexOn: [
      'usertype',
      'fleetadmin',
      'firstName',
      'lastName',
      'mobile',
      'email',
      'vehicleNumber',
      'sortKey',
    ],
  },
)
