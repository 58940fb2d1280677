import { toJson, type DatabaseValue } from '~/domain/databaseValue'
import type { VehicleType } from '~/domain/entities'
import { createShippedLanguages } from '~/domain/languages'
import { dbPaths } from '~/domain/databasePaths'
import { createOfficeUser } from '~/domain/userAccounts'
import { SCHEMA_VERSION, schemaPaths, hashTexts } from '~/domain/schemaVersion'
import { createSettings } from '~/domain/defaultSettings'
import { getSalt } from '../config'
import { SETUP_SECRETS } from '../deployment'
import { defineOpenEndpoint } from '../http/endpointTypes'
import { WriteConflictError } from '../ports/database'
import { chooseReferralId } from '../users/referralIds'
import { fail } from '../http/domainException'

const SAMPLE_VEHICLE_TYPES = [
  {
    id: 'sample-small',
    name: 'Small van',
    base_fare: 2,
    rate_per_unit_distance: 1,
    rate_per_hour: 6,
    min_fare: 5,
    convenience_fees: 10,
    convenience_fee_type: 'percentage',
  },
  {
    id: 'sample-large',
    name: 'Large van',
    base_fare: 4,
    rate_per_unit_distance: 2,
    rate_per_hour: 10,
    min_fare: 10,
    convenience_fees: 10,
    convenience_fee_type: 'percentage',
  },
] as const satisfies Omit<VehicleType, 'createdAt'>[]

const buildLanguageUpdates = (now: number, texts: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    createShippedLanguages(texts, now).map((language) => [
      `languages/${language.id}`,
      { ...language } satisfies DatabaseValue,
    ]),
  )

const buildSampleUpdates = (now: number): Record<string, DatabaseValue> =>
  Object.fromEntries(
    SAMPLE_VEHICLE_TYPES.map((carType) => [
      dbPaths.carType(carType.id),
      { ...carType, createdAt: now },
    ]),
  )

/** Sets up an empty project. */
export const setup = defineOpenEndpoint({
  name: 'setup',
  summary:
    'Sets up an empty project: settings, first admin, every language and sample vehicle types. Works only once, and in production only with the secrets `KERBSIDE_SETUP_SECRET` and `KERBSIDE_SALT`.',
  allow: ['anyone'],
  limit: 10,
  errors: ['already_set_up', 'not_allowed', 'user_exists'],
  secrets: SETUP_SECRETS,
  async handle(given, { accounts, config, db, now, random, texts }) {
    getSalt(config)
    if (config.setupSecret === null && !config.isLocal)
      fail('not_configured', undefined, { setting: 'KERBSIDE_SETUP_SECRET' })
    if (config.setupSecret !== null && given.secret !== config.setupSecret) {
      fail('not_allowed', 'secret')
    }
    if ((await db.read('settings/appName')) !== null) fail('already_set_up')
    const { firstName, lastName } = given
    const uid =
      (await accounts.create({ phone: given.mobile })) ??
      (await accounts.findByPhone(given.mobile)) ??
      fail('user_exists', 'mobile')
    const referralId = await chooseReferralId({ db, random }, firstName)
    const shipped = await texts()
    const admin = createOfficeUser(
      'admin',
      { firstName, lastName, mobile: given.mobile, email: '' },
      { uid, now, referralId },
      { uid, usertype: 'admin' },
      createSettings(given),
    )
    try {
      await db.update({
        // Write-once: of two simultaneous setups, the rules refuse the second one completely.
        [dbPaths.audit('setup')]: { by: uid, at: now, action: 'setup', path: dbPaths.settings },
        [schemaPaths.version]: SCHEMA_VERSION,
        [schemaPaths.texts]: hashTexts(shipped),
        [dbPaths.settings]: { ...createSettings(given) },
        [dbPaths.user(uid)]: toJson(admin),
        [dbPaths.referralId(referralId)]: uid,
        ...buildLanguageUpdates(now, shipped),
        ...buildSampleUpdates(now),
      })
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      // Without settings, no other setup won. The owner of this phone number has signed in before
      // and already has a rider record.
      const isSetUp = (await db.read('settings/appName')) !== null
      return isSetUp ? fail('already_set_up') : fail('user_exists', 'mobile')
    }
    return { success: true, admin: uid }
  },
})
