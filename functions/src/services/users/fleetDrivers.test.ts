import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import type { DeleteUserInput } from '~/domain/api/inputs/people'
import { aDriver, aRider } from '~/domain/testing/builders'
import { delete_user } from '../../endpoints/users/deleteUser'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
} from '../../testing/testPorts'
import type { User } from '~/domain/accounts/types'

const aFleetAdmin = (id: string, digit: number) =>
  ({ ...aRider({ id, mobile: `+1555555018${digit}` }), usertype: 'fleetadmin' }) as User
const DRIVERS = 11

/** Creates a fleet admin with drivers, one of them on duty, and another fleet admin. */
const createFleet = (count = DRIVERS) => {
  const drivers = Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const id = `driver${i}`
      return [id, aDriver({ id, mobile: `+1555555020${i}`, fleetadmin: 'fleet' })]
    }),
  )
  const { rider, admin } = aProject().users
  const users = {
    rider,
    admin,
    fleet: aFleetAdmin('fleet', 1),
    other: aFleetAdmin('other', 2),
    ...drivers,
  } as Record<string, User>
  const given = createProjectPorts({
    users: toJson(users),
    people: toJson(toDirectory(users)),
    available_drivers: {
      driver0: { carType: 'van', geohash: 'x', lat: 1, lng: 1, at: 1, fleetadmin: 'fleet' },
    },
  })
  return {
    ...given,
    remove: (input: DeleteUserInput, by = 'admin') =>
      delete_user.handle(
        input,
        createUserContext(by, by === 'admin' ? 'admin' : 'fleetadmin', given),
      ),
    getFleets: () =>
      Object.keys(drivers).map((id) => given.db.at(`users/${id}/fleetadmin`) ?? 'none'),
  }
}

describe('deleting a fleet admin', () => {
  it('is refused with the number of drivers until an admin decides about them', async () => {
    const { remove, db, getFleets } = createFleet()
    const refused = await remove({ id: 'fleet' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      error: { key: 'drivers_left', field: 'drivers_to', params: { drivers: DRIVERS } },
    })
    expect(db.at('users/fleet/approved')).toBe(true)
    expect(getFleets()).toEqual(Array<string>(DRIVERS).fill('fleet'))
  })

  it('counts the drivers of a large fleet', async () => {
    const { remove } = createFleet(203)
    const refused = await remove({ id: 'fleet' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ error: { key: 'drivers_left', params: { drivers: 203 } } })
  })

  it.each([
    ['another fleet admin', 'other', 'other'],
    ['no fleet', null, 'none'],
  ])('moves the drivers to %s', async (_, drivers_to, fleet) => {
    const { remove, db, getFleets } = createFleet()
    await remove({ id: 'fleet', drivers_to })
    expect(db.at('users/fleet')).toBeNull()
    expect(getFleets()).toEqual(Array<string>(DRIVERS).fill(fleet))
    // The driver's page adds them again, with the new fleet.
    expect(db.at('available_drivers/driver0')).toBeNull()
    const audits = Object.values(db.at('audit') as Record<string, { action: string }>)
    expect(audits.filter(({ action }) => action === 'user_edit')).toHaveLength(DRIVERS)
  })

  it.each([
    ['a rider', 'rider'],
    ['the deleted one', 'fleet'],
    ['an unknown account', 'nobody'],
  ])('refuses %s as the new fleet admin', async (_, drivers_to) => {
    const { remove, db } = createFleet()
    expect(await getErrorKey(remove({ id: 'fleet', drivers_to }))).toBe('bad_input')
    expect(db.at('users/fleet')).not.toBeNull()
  })

  it('leaves the decision to an admin', async () => {
    const { remove } = createFleet()
    expect(await getErrorKey(remove({ id: 'fleet' }, 'fleet'))).toBe('drivers_left')
    expect(await getErrorKey(remove({ id: 'fleet', drivers_to: null }, 'fleet'))).toBe(
      'not_allowed',
    )
  })

  it('continues where an interrupted call stopped', async () => {
    const { remove, db, getFleets } = createFleet()
    await db.update({ 'users/driver3/fleetadmin': 'other' })
    await remove({ id: 'fleet', drivers_to: 'other' })
    expect(getFleets()).toEqual(Array<string>(DRIVERS).fill('other'))
  })
})
