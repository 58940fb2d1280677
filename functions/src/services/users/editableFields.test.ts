import { expect, it } from 'vitest'
import {
  isEditableField,
  mayEnterField,
  maySetField,
  USER_FIELDS,
  type EditableField,
  type FieldSetter,
  type UserField,
} from '~/domain/accounts/fieldOwners'
import { aVehicleType } from '~/domain/testing/builders'
import { import_people } from '../../endpoints/imports/importPeople'
import { save_user } from '../../endpoints/users/saveUser'
import { user_signup } from '../../endpoints/users/userSignup'
import { DomainException } from '../../domainException'
import { parseInput } from '../../http/requestHandler'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import type { User } from '~/domain/accounts/types'

const PHONE = '+15555550333'
const VALUES: Record<EditableField, unknown> = {
  firstName: 'Other',
  lastName: 'Other',
  email: 'other@example.com',
  mobile: PHONE,
  approved: false,
  lang: { langLocale: 'es', dateLocale: 'es' },
  profile_image: null,
  bankName: 'Other',
  bankCode: 'Other',
  bankAccount: 'Other',
  vehicleMake: 'Other',
  vehicleModel: 'Other',
  vehicleNumber: 'Other',
  other_info: 'Other',
  carType: 'bike',
  fleetadmin: 'second',
  licenseImage: null,
}
const CALLERS = {
  person: ['driver', 'driver'],
  fleetadmin: ['fleet', 'fleetadmin'],
  admin: ['admin', 'admin'],
} as const satisfies Record<FieldSetter, unknown>

const createFleet = () => {
  const { users } = aProject()
  const fleet = { ...users.admin, usertype: 'fleetadmin' }
  const picture = 'https://example.com/a.jpg'
  return createProjectPorts({
    cartypes: { van: aVehicleType(), bike: aVehicleType({ id: 'bike' }) },
    users: {
      ...users,
      fleet: { ...fleet, id: 'fleet', mobile: '+15555550177' },
      second: { ...fleet, id: 'second', mobile: '+15555550178' },
      driver: {
        ...users.driver,
        fleetadmin: 'fleet',
        profile_image: picture,
        licenseImage: picture,
      },
    },
  })
}
const save = (given: ReturnType<typeof createFleet>, setter: FieldSetter, field: EditableField) => {
  const [uid, role] = CALLERS[setter]
  const context = createUserContext(uid, role, given)
  return save_user.handle(parseInput(save_user.input, { id: 'driver', [field]: VALUES[field] }), {
    ...context,
    caller: { ...context.caller, phone: PHONE },
  })
}

const ROWS = USER_FIELDS.filter(isEditableField).flatMap((field) =>
  (['person', 'fleetadmin', 'admin'] as const).map((setter) => [field, setter] as const),
)
it.each(ROWS.filter(([field, setter]) => maySetField(field, setter)))(
  'a driver’s %s is set by their %s',
  async (field, setter) => {
    const given = createFleet()
    await save(given, setter, field)
    expect(given.db.at(`users/driver/${field}`)).toEqual(VALUES[field])
  },
)
it.each(ROWS.filter(([field, setter]) => !maySetField(field, setter)))(
  'a driver’s %s is not set by their %s',
  async (field, setter) => {
    const given = createFleet()
    const before = given.db.at(`users/driver/${field}`)
    expect(await getErrorKey(save(given, setter, field))).toBe('not_allowed')
    expect(given.db.at(`users/driver/${field}`)).toEqual(before)
  },
)

const NEW_DRIVER = {
  usertype: 'driver',
  firstName: 'Eva',
  lastName: 'Sosa',
  email: 'eva@example.com',
  mobile: '+15555550188',
} as const
/** Values of a new driver, who has no pictures yet. */
const ENTERED: Partial<Record<EditableField, unknown>> = Object.fromEntries(
  Object.entries(VALUES).filter(
    ([field]) => !(field in NEW_DRIVER) && !['profile_image', 'licenseImage'].includes(field),
  ),
)
const IMPORTED = USER_FIELDS.filter(
  (field) => field in ENTERED && !['approved', 'fleetadmin', 'lang'].includes(field),
)
const WAYS_IN = {
  'an admin who adds them': ['admin', 'save_user'],
  'a fleet admin who adds them': ['fleetadmin', 'save_user'],
  'an admin who imports them': ['admin', 'import_people'],
  'a fleet admin who imports them': ['fleetadmin', 'import_people'],
  'themselves at the sign-up': ['person', 'user_signup'],
} as const
const enter = async (
  given: ReturnType<typeof createFleet>,
  [setter, name]: (typeof WAYS_IN)[keyof typeof WAYS_IN],
  field: UserField,
) => {
  const row = { ...NEW_DRIVER, [field]: ENTERED[field as EditableField] }
  if (name === 'user_signup') {
    const caller = { uid: 'eva', phone: NEW_DRIVER.mobile, signedInAt: TEST_NOW }
    const context = { ...createUserContext('driver', 'driver', given), caller }
    await user_signup.handle(parseInput(user_signup.input, row), context)
    return null
  }
  const context = createUserContext(CALLERS[setter][0], CALLERS[setter][1], given)
  if (name === 'save_user') {
    const adding = save_user.handle(parseInput(save_user.input, row), context)
    return adding.then(
      () => null,
      (error: unknown) => {
        if (error instanceof DomainException) return error.error.key
        throw error
      },
    )
  }
  const { usertype, ...fields } = row
  const input = parseInput(import_people.input, { usertype, rows: [fields] })
  const { results } = await import_people.handle(input, context)
  const [result] = results
  return result?.status === 'refused' ? result.error.key : null
}
const ENTRIES = Object.entries(WAYS_IN).flatMap(([label, way]) =>
  USER_FIELDS.filter((field) => field in ENTERED)
    .filter((field) => way[1] !== 'import_people' || IMPORTED.includes(field))
    .filter((field) => way[1] !== 'user_signup' || !['approved', 'fleetadmin'].includes(field))
    .map((field) => [field, label, way] as const),
)
const findNew = (given: ReturnType<typeof createFleet>) =>
  Object.values(given.db.at('users') as Record<string, User>).find(
    ({ mobile }) => mobile === NEW_DRIVER.mobile,
  )
it.each(ENTRIES.filter(([field, , [setter]]) => mayEnterField(field, setter)))(
  'a new driver’s %s is entered by %s',
  async (field, _, way) => {
    const given = createFleet()
    await enter(given, way, field)
    expect(findNew(given)?.[field]).toEqual(ENTERED[field as EditableField])
  },
)
it.each(ENTRIES.filter(([field, , [setter]]) => !mayEnterField(field, setter)))(
  'a new driver’s %s is not entered by %s',
  async (field, _, way) => {
    const given = createFleet()
    expect(await enter(given, way, field)).toBe('not_allowed')
    expect(findNew(given)).toBeUndefined()
  },
)
it.each(['approved', 'fleetadmin'] as const)('a sign-up has no %s', (field) => {
  const row = { ...NEW_DRIVER, [field]: VALUES[field] }
  expect(() => parseInput(user_signup.input, row)).toThrow()
})
