import * as v from 'valibot'
import type { Value } from '~/domain/booking/change'
import type { User } from '~/domain/entities'
import * as fields from '~/domain/forms/fields'
import { referralIdFor } from '~/domain/people'
import type { DatabasePort } from './ports/database'
import type { RandomPort } from './ports/random'

/** An e-mail in small letters, so that equal ones are found equal. */
export const email = v.pipe(fields.email(), v.toLowerCase())
export const mobile = fields.mobile
export const name = fields.required(100)
const key = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/))

/** What a driver's record has beside everybody's. */
export const vehicle = {
  vehicleMake: v.optional(fields.text(100)),
  vehicleModel: v.optional(fields.text(100)),
  vehicleNumber: v.optional(fields.text(30)),
  other_info: v.optional(fields.text(1000)),
  carType: v.optional(key),
  licenseImage: v.optional(fields.link),
}
export const personal = {
  profile_image: v.optional(fields.link),
  lang: v.optional(v.object({ langLocale: fields.required(20), dateLocale: fields.required(20) })),
  bankName: v.optional(fields.text(100)),
  bankCode: v.optional(fields.text(60)),
  bankAccount: v.optional(fields.text(60)),
}

/** The users with this phone number or e-mail; the database is the truth, not the sign-in accounts. */
export const usersWith = async (
  db: DatabasePort,
  { mobile, email }: { mobile?: string | undefined; email?: string | undefined },
): Promise<User[]> => {
  const found = await Promise.all([
    mobile ? db.list<User>('users', { by: 'mobile', equalTo: mobile, first: 2 }) : [],
    email ? db.list<User>('users', { by: 'email', equalTo: email.toLowerCase(), first: 2 }) : [],
  ])
  return [...new Map(found.flat().map(([id, user]) => [id, { ...user, id }])).values()]
}

/** The uid of the user a referral id belongs to, or null. */
export const referrerOf = async (db: DatabasePort, referralId: string): Promise<string | null> => {
  const [found] = await db.list<User>('users', { by: 'referralId', equalTo: referralId, first: 1 })
  return found?.[0] ?? null
}

/** Draws the number of a referral id nobody has yet. */
export const referralNumber = async (
  db: DatabasePort,
  firstName: string,
  random: RandomPort,
): Promise<number> => {
  for (;;) {
    const number = random.between(1000, 9999)
    if ((await referrerOf(db, referralIdFor(firstName, number))) === null) return number
  }
}

/** A record as the database takes it: without what is undefined. */
export const stored = (record: object): Value => JSON.parse(JSON.stringify(record)) as Value
