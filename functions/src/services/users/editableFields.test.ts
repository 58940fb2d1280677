import { expect, it } from 'vitest'
import {
  isEditableField,
  maySetField,
  USER_FIELDS,
  type EditableField,
  type FieldSetter,
} from '~/domain/accounts/fieldOwners'
import { aVehicleType } from '~/domain/testing/builders'
import { save_user } from '../../endpoints/users/saveUser'
import { parseInput } from '../../http/requestHandler'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
} from '../../testing/testPorts'

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
