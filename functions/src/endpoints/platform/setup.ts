import { toJson, type DatabaseValue } from '~/domain/data/databaseValue'
import type { SetupInput } from '~/domain/api/inputs/office'
import { createShippedLanguages } from '~/domain/catalog/languages'
import { dbPaths } from '~/domain/data/databasePaths'
import { createOfficeUser } from '~/domain/accounts/userAccounts'
import { SCHEMA_VERSION, schemaPaths, hashTexts } from '~/domain/data/schemaVersion'
import { createCompanySettings } from '~/domain/setup/companySettings'
import { getDateLocale } from '~/domain/setup/countryConventions'
import { createStartReasons, createStartVehicleTypes } from '~/domain/setup/startCatalog'
import { getSalt } from '../../config'
import { SETUP_SECRETS } from '../../deployment'
import { defineOpenEndpoint } from '../../http/endpointTypes'
import { WriteConflictError } from '../../ports/database'
import { chooseReferralId } from '../../services/users/referralIds'
import { fail } from '../../domainException'
import type { Settings } from '~/domain/catalog/types'

/** Returns the languages with the company's one as the default, and what it offers in it. */
const buildContentUpdates = (
  { business, language, restrictCountry }: SetupInput,
  { settings, now }: { settings: Settings; now: number },
): Record<string, DatabaseValue> => {
  const dateLocale = getDateLocale(language, restrictCountry)
  const main = { locale: language, ...(dateLocale && { dateLocale }) }
  const languages = createShippedLanguages(now, main)
  const vehicleTypes = createStartVehicleTypes(business, language, settings, now)
  return {
    ...Object.fromEntries(languages.map((each) => [`languages/${each.id}`, { ...each }])),
    ...Object.fromEntries(vehicleTypes.map((type) => [dbPaths.carType(type.id), toJson(type)])),
    [dbPaths.cancellationReasons]: toJson(createStartReasons(business, language)),
  }
}

/** Sets up an empty project. */
export const setup = defineOpenEndpoint({
  name: 'setup',
  summary:
    'Sets up an empty project: settings, first admin, every language, and vehicle types and cancellation reasons for what the company carries, with prices in the magnitude of its currency. Works only once, and in production only with the secrets `KERBSIDE_SETUP_SECRET` and `KERBSIDE_SALT`.',
  allow: ['anyone'],
  limit: 10,
  spends: [],
  errors: ['already_set_up', 'not_allowed', 'user_exists'],
  secrets: SETUP_SECRETS,
  async handle(input, { accounts, config, db, now, random, texts }) {
    getSalt(config)
    if (config.setupSecret === null && !config.isLocal)
      fail('not_configured', undefined, { setting: 'KERBSIDE_SETUP_SECRET' })
    if (config.setupSecret !== null && input.secret !== config.setupSecret) {
      fail('not_allowed', 'secret')
    }
    if ((await db.read('settings/appName')) !== null) fail('already_set_up')
    const { firstName, lastName } = input
    const uid =
      (await accounts.create({ phone: input.mobile })) ??
      (await accounts.findByPhone(input.mobile)) ??
      fail('user_exists', 'mobile')
    const referralId = await chooseReferralId({ db, random }, firstName)
    const settings = createCompanySettings(input)
    const admin = createOfficeUser(
      'admin',
      { firstName, lastName, mobile: input.mobile, email: '' },
      { uid, now, referralId },
      { actor: { uid, usertype: 'admin' }, settings },
    )
    try {
      await db.update({
        // Write-once: of two simultaneous setups, the rules refuse the second one completely.
        [dbPaths.audit('setup')]: { by: uid, at: now, action: 'setup', path: dbPaths.settings },
        [schemaPaths.version]: SCHEMA_VERSION,
        [schemaPaths.texts]: hashTexts(await texts()),
        [dbPaths.settings]: { ...settings },
        [dbPaths.user(uid)]: toJson(admin),
        [dbPaths.referralId(referralId)]: uid,
        ...buildContentUpdates(input, { settings, now }),
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
