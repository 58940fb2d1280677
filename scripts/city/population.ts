import type { Random } from '~/domain/data/seededRandom'
import { DEMO_ACCOUNTS } from '~/seed/demoAccounts'
import { createAdmin, createDriver, createRider, forEachConcurrently, type Actor } from './actors'
import { createOffice } from './simulatedOffice'
import { signIn, type SimulatedUser, type SimulationEnvironment } from './simulatedUser'
import type { Simulation } from './simulation'
import type { CancellationReason, Promo, Settings, VehicleType } from '~/domain/catalog/types'

interface PopulationOptions {
  riders: number
  drivers: number
  /** Number of simulated admins besides the demo's own. */
  admins: number
  /** False keeps the demo's admin for the user: simulated admins do all the work. */
  isDemoAdminWorking?: boolean
  createRandom: (stream: number) => Random
  /** Receives each person at their sign-in, to close their connection at the end. */
  onPerson: (person: SimulatedUser) => void
  onMessage: (line: string) => void
}

type Catalog = Pick<
  Simulation,
  'settings' | 'carTypes' | 'promos' | 'cancellationReasons' | 'office'
>
interface Population extends Catalog {
  drivers: (Actor & { carType: string })[]
  riders: Actor[]
}

const createRange = (count: number) => Array.from({ length: count }, (_, n) => n)

/**
 * Signs in the simulated people of a local Kerbside and reads the data that they choose from.
 * Missing people sign up like any other user. Throws when the database is empty.
 */
export const populateCity = async (
  city: SimulationEnvironment,
  {
    riders: riderCount,
    drivers: driverCount,
    admins,
    isDemoAdminWorking = true,
    createRandom,
    onPerson,
    onMessage,
  }: PopulationOptions,
): Promise<Population> => {
  const met = <T extends { person: SimulatedUser }>(member: T): T => {
    onPerson(member.person)
    return member
  }
  const { person: admin } = met({ person: await signIn(DEMO_ACCOUNTS[0].mobile, city) })
  const settings = await admin.read<Settings>('settings')
  if (!settings) throw new Error('This Kerbside is empty. Run `npm start -- --fresh` to fill it.')
  const list = async <T>(path: string): Promise<T[]> =>
    Object.values((await admin.read<Record<string, T>>(path)) ?? {})
  const allTypes = await list<VehicleType>('cartypes')

  const staff: [SimulatedUser, ...SimulatedUser[]] = [admin]
  const office = createOffice(city, staff)
  for (let n = 1; n <= admins; n++)
    staff.push(met({ person: await createAdmin(n, city, admin) }).person)
  if (!isDemoAdminWorking && staff.length > 1) staff.shift()
  onMessage(`Signing in ${driverCount} drivers and ${riderCount} riders …`)
  const drivers = await forEachConcurrently(createRange(driverCount), async (n) => {
    const carType = allTypes[n % allTypes.length]
    if (!carType) throw new Error('There are no vehicle types. Run `npm start -- --fresh` first.')
    return met(await createDriver(n, { city, office, carType }))
  })
  const riders = await forEachConcurrently(createRange(riderCount), async (n) =>
    met(await createRider(n, { city, office, random: createRandom(10_000 + n) })),
  )
  return {
    settings,
    carTypes: allTypes.filter(({ id }) => drivers.some(({ carType }) => carType === id)),
    promos: await list<Promo>('promos'),
    cancellationReasons: await list<CancellationReason>('cancel_reason'),
    office,
    drivers,
    riders,
  }
}
