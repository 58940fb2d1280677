import * as v from 'valibot'
import type { Value } from '~/domain/booking/change'
import type { User, UserType } from '~/domain/entities'
import type { DatabasePort } from './ports/database'
import type { RandomPort } from './ports/random'

/** A phone number in the international form. */
export const mobile = v.pipe(v.string(), v.trim(), v.regex(/^\+[1-9]\d{6,14}$/))
/** Letters and digits, an at sign, letters and digits, a dot and letters (specification 5). */
export const email = v.pipe(
  v.string(),
  v.trim(),
  v.maxLength(254),
  v.regex(/^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]+$/),
)
export const shortText = (max: number) => v.pipe(v.string(), v.trim(), v.maxLength(max))
export const name = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(100))
const link = v.pipe(v.string(), v.url(), v.maxLength(2000))

/** What a driver's record has beside everybody's. */
export const driverFields = {
  vehicleMake: v.optional(shortText(100)),
  vehicleModel: v.optional(shortText(100)),
  vehicleNumber: v.optional(shortText(30)),
  other_info: v.optional(shortText(1000)),
  carType: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{1,128}$/))),
  licenseImage: v.optional(link),
}
export const bankFields = {
  bankName: v.optional(shortText(100)),
  bankCode: v.optional(shortText(60)),
  bankAccount: v.optional(shortText(60)),
}
export const profileImage = v.optional(link)
export const language = v.optional(
  v.object({
    langLocale: v.pipe(v.string(), v.maxLength(20)),
    dateLocale: v.pipe(v.string(), v.maxLength(20)),
  }),
)

/** The uids of users with this phone number or e-mail; the database is the truth, not the sign-in accounts. */
export const usersWith = async (
  db: DatabasePort,
  { mobile, email }: { mobile?: string | undefined; email?: string | undefined },
): Promise<string[]> => {
  const found = await Promise.all([
    mobile ? db.list<User>('users', { by: 'mobile', equalTo: mobile, first: 2 }) : [],
    email ? db.list<User>('users', { by: 'email', equalTo: email, first: 2 }) : [],
  ])
  return [...new Set(found.flat().map(([uid]) => uid))]
}

/** The uid of the user a referral id belongs to, or null. */
export const referrerOf = async (db: DatabasePort, referralId: string): Promise<string | null> => {
  const [found] = await db.list<User>('users', { by: 'referralId', equalTo: referralId, first: 1 })
  return found?.[0] ?? null
}

/** An unused referral id: the first name lowercased and a number from 1000 to 9999 (specification 9). */
export const newReferralId = async (
  db: DatabasePort,
  firstName: string,
  random: RandomPort,
): Promise<string> => {
  const stem =
    firstName
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
      .slice(0, 50) || 'code'
  for (;;) {
    const referralId = `${stem}${random.between(1000, 9999)}`
    if ((await referrerOf(db, referralId)) === null) return referralId
  }
}

/** A user's record as it begins: an empty wallet, in nobody's debt. */
export const newUser = async (
  fields: {
    usertype: UserType
    firstName: string
    lastName: string
    mobile: string
    email: string
    approved: boolean
  } & Partial<User>,
  { uid, now, db, random }: { uid: string; now: number; db: DatabasePort; random: RandomPort },
): Promise<Value> => {
  const user: User = {
    ...fields,
    id: uid,
    createdAt: new Date(now).toISOString(),
    walletBalance: 0,
    referralId: await newReferralId(db, fields.firstName, random),
    ...(fields.usertype === 'driver' && {
      queue: false,
      driverActiveStatus: fields.driverActiveStatus ?? false,
    }),
  }
  // Without what is undefined, which the database does not take.
  return JSON.parse(JSON.stringify(user)) as Value
}
