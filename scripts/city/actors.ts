import type { Random } from '~/domain/data/seededRandom'
import {
  postAnonymously,
  signIn,
  type SimulationEnvironment,
  type SimulatedUser,
} from './simulatedUser'
import type { Office } from './simulation'
import type { VehicleType } from '~/domain/catalog/types'

/**
 * Maximum number of people at once, so that a hundred people do not start a hundred function
 * processes.
 */
const CONCURRENCY = 3

const FIRST_NAMES = [
  'Ana',
  'Bruno',
  'Carla',
  'Diego',
  'Elena',
  'Fabio',
  'Gina',
  'Hugo',
  'Inés',
  'Juan',
]
const LAST_NAMES = [
  'Acosta',
  'Barrios',
  'Castro',
  'Duarte',
  'Estévez',
  'Ferreira',
  'Gómez',
  'Herrera',
]
const getName = (n: number) => ({
  firstName: FIRST_NAMES[n % FIRST_NAMES.length] ?? 'Ana',
  lastName: LAST_NAMES[Math.floor(n / FIRST_NAMES.length) % LAST_NAMES.length] ?? 'Paz',
})

/** Fictional numbers; the same person has the same number in every run and keeps their account. */
const getRiderMobile = (n: number) => `+1555556${String(1000 + n)}`
const getDriverMobile = (n: number) => `+1555557${String(1000 + n)}`
const getAdminMobile = (n: number) => `+1555558${String(1000 + n)}`

export interface Actor {
  person: SimulatedUser
  mobile: string
}

/** Runs an action for each item, a few at a time, in order. */
export const forEachConcurrently = async <T, R>(
  list: readonly T[],
  does: (one: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  for (let i = 0; i < list.length; i += CONCURRENCY)
    results.push(...(await Promise.all(list.slice(i, i + CONCURRENCY).map(does))))
  return results
}

/** Creates a rider: signs in, gets a profile, fills it in and has some money in the wallet. */
export const createRider = async (
  n: number,
  { city, office, random }: { city: SimulationEnvironment; office: Office; random: Random },
): Promise<Actor> => {
  const mobile = getRiderMobile(n)
  const person = await signIn(mobile, city)
  const profile = await person.callWithRetry('ensure_profile')
  if (!profile.ok) throw new Error(`Rider ${n} could not sign in: ${profile.error.key}`)
  if (!profile.value.email) {
    const email = `simulatedrider${n}@kerbside.example`
    const saved = await person.callWithRetry('save_user', { id: person.uid, ...getName(n), email })
    if (!saved.ok) throw new Error(`Rider ${n} could not save a name: ${saved.error.key}`)
  }
  if ((profile.value.walletBalance ?? 0) < 200 && random.chance(0.7))
    await office.creditWallet(person.uid, random.integer(3, 25) * 100)
  return { person, mobile }
}

/** Creates another admin for the back office, appointed by an existing one. */
export const createAdmin = async (
  n: number,
  city: SimulationEnvironment,
  admin: SimulatedUser,
): Promise<SimulatedUser> => {
  const mobile = getAdminMobile(n)
  const lookup = await postAnonymously<{ users: unknown[] }>(city, 'check_user_exists', { mobile })
  if (!lookup.ok || lookup.value.users.length === 0) {
    const email = `simulatedclerk${n}@kerbside.example`
    const creation = await admin.callWithRetry('save_user', {
      usertype: 'admin',
      ...getName(n + 5),
      email,
      mobile,
    })
    if (!creation.ok && creation.error.key !== 'user_exists')
      throw new Error(`Admin ${n} could not be created: ${creation.error.key}`)
  }
  return signIn(mobile, city)
}

/**
 * Creates a driver: verifies the number, signs up as any driver does and is approved by the back
 * office.
 */
export const createDriver = async (
  n: number,
  { city, office, carType }: { city: SimulationEnvironment; office: Office; carType: VehicleType },
): Promise<Actor & { carType: string }> => {
  const mobile = getDriverMobile(n)
  const email = `simulateddriver${n}@kerbside.example`
  const vehicle = {
    carType: carType.id,
    vehicleMake: 'Fiat',
    vehicleModel: 'Fiorino',
    vehicleNumber: `SIM ${String(1000 + n)}`,
  }
  const input = { usertype: 'driver' as const, ...getName(n + 3), email, mobile, ...vehicle }
  const before = await postAnonymously<{ users: unknown[] }>(city, 'check_user_exists', { mobile })
  const isKnown = before.ok && before.value.users.length > 0
  const person = await signIn(mobile, city)
  if (!isKnown) {
    const signUp = await person.post('user_signup', input)
    if (!signUp.ok && signUp.error.key !== 'user_exists')
      throw new Error(`Driver ${n} could not sign up: ${signUp.error.key}`)
    const approved = await office.person.callWithRetry('save_user', {
      id: person.uid,
      approved: true,
    })
    if (!approved.ok) throw new Error(`Driver ${n} could not be approved: ${approved.error.key}`)
  }
  // A driver from an earlier run keeps their vehicle type.
  const profile = await person.callWithRetry('ensure_profile')
  if (!profile.ok) throw new Error(`Driver ${n} could not sign in: ${profile.error.key}`)
  return { person, mobile, carType: profile.value.carType ?? carType.id }
}
