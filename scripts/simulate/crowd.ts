import type { CarType } from '~/domain/entities'
import type { Random } from '~/domain/testing/random'
import { postAsStranger, signIn, type City, type Person } from './person'
import type { Office } from './town'

/** At once, so that a hundred people do not start a hundred function processes. */
const TOGETHER = 3

const FIRST = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elena', 'Fabio', 'Gina', 'Hugo', 'Inés', 'Juan']
const LAST = ['Acosta', 'Barrios', 'Castro', 'Duarte', 'Estévez', 'Ferreira', 'Gómez', 'Herrera']
const nameOf = (n: number) => ({
  firstName: FIRST[n % FIRST.length] ?? 'Ana',
  lastName: LAST[Math.floor(n / FIRST.length) % LAST.length] ?? 'Paz',
})

/** Fictional numbers; the same person has the same in every run, and is simply met again. */
const riderMobile = (n: number) => `+1555556${String(1000 + n)}`
const driverMobile = (n: number) => `+1555557${String(1000 + n)}`
const clerkMobile = (n: number) => `+1555558${String(1000 + n)}`

export interface Known {
  person: Person
  mobile: string
}

interface Profile {
  email?: string
  walletBalance?: number
  referralId?: string
}

/** Does something for each, a few at a time, in order. */
export const each = async <T, R>(
  list: readonly T[],
  does: (one: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  for (let i = 0; i < list.length; i += TOGETHER)
    results.push(...(await Promise.all(list.slice(i, i + TOGETHER).map(does))))
  return results
}

/** A rider: signs in, is given a profile, fills it in, and has some money in the wallet. */
export const meetRider = async (
  n: number,
  { city, office, random }: { city: City; office: Office; random: Random },
): Promise<Known> => {
  const mobile = riderMobile(n)
  const person = await signIn(mobile, city)
  const profile = await person.insist<Profile>('ensure_profile')
  if (!profile.ok) throw new Error(`Rider ${n} was not let in: ${profile.error.key}`)
  if (!profile.value.email) {
    const email = `simulatedrider${n}@kerbside.example`
    const saved = await person.insist('save_user', { id: person.uid, ...nameOf(n), email })
    if (!saved.ok) throw new Error(`Rider ${n} has no name: ${saved.error.key}`)
  }
  if ((profile.value.walletBalance ?? 0) < 200 && random.chance(0.7))
    await office.credit(person.uid, random.whole(3, 25) * 100)
  return { person, mobile }
}

/** One more admin for the office, who is hired by one that is there. */
export const meetClerk = async (n: number, city: City, admin: Person): Promise<Person> => {
  const mobile = clerkMobile(n)
  const known = await postAsStranger<{ users: unknown[] }>(city, 'check_user_exists', { mobile })
  if (!known.ok || known.value.users.length === 0) {
    const email = `simulatedclerk${n}@kerbside.example`
    const made = await admin.insist('save_user', {
      usertype: 'admin',
      ...nameOf(n + 5),
      email,
      mobile,
    })
    if (!made.ok && made.error.key !== 'user_exists')
      throw new Error(`Clerk ${n} was not hired: ${made.error.key}`)
  }
  return signIn(mobile, city)
}

/** A driver: signs up like anybody, is approved by the office, and signs in. */
export const meetDriver = async (
  n: number,
  { city, office, carType }: { city: City; office: Office; carType: CarType },
): Promise<Known & { carType: string }> => {
  const mobile = driverMobile(n)
  const email = `simulateddriver${n}@kerbside.example`
  const vehicle = {
    carType: carType.id,
    vehicleMake: 'Fiat',
    vehicleModel: 'Fiorino',
    vehicleNumber: `SIM ${String(1000 + n)}`,
  }
  const input = { usertype: 'driver' as const, ...nameOf(n + 3), email, mobile, ...vehicle }
  const before = await postAsStranger<{ users: unknown[] }>(city, 'check_user_exists', { mobile })
  const isKnown = before.ok && before.value.users.length > 0
  const made = isKnown ? undefined : await postAsStranger(city, 'user_signup', input)
  if (made && !made.ok && made.error.key !== 'user_exists')
    throw new Error(`Driver ${n} could not sign up: ${made.error.key}`)
  const person = await signIn(mobile, city)
  if (!isKnown) {
    const approved = await office.person.insist('save_user', { id: person.uid, approved: true })
    if (!approved.ok) throw new Error(`Driver ${n} was not approved: ${approved.error.key}`)
  }
  // One of an earlier run drives what he drove then.
  const known = await person.insist<{ carType?: string }>('ensure_profile')
  if (!known.ok) throw new Error(`Driver ${n} was not let in: ${known.error.key}`)
  return { person, mobile, carType: known.value.carType ?? carType.id }
}
