import { setup as input } from '~/domain/api'
import type { Value } from '~/domain/booking/change'
import { plain } from '~/domain/booking/draft'
import type { CarType } from '~/domain/entities'
import { shippedLanguages } from '~/domain/languages'
import { at } from '~/domain/paths'
import { createdByOffice } from '~/domain/people'
import { newSettings } from '~/domain/settings'
import { forAnyone } from '../definition'
import { Conflict } from '../ports/database'
import { referralNumber } from '../profiles'
import { refuse } from '../refused'

const SAMPLES = [
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
] as const satisfies Omit<CarType, 'createdAt'>[]

const languagesAt = (now: number, texts: Record<string, Record<string, string>>) =>
  Object.fromEntries(
    shippedLanguages(texts, now).map((language) => [
      `languages/${language.id}`,
      { ...language } satisfies Value,
    ]),
  )

const samplesAt = (now: number): Record<string, Value> =>
  Object.fromEntries(
    SAMPLES.map((carType) => [at.carType(carType.id), { ...carType, createdAt: now }]),
  )

/** Sets an empty project up. */
export const setup = forAnyone({
  name: 'setup',
  summary:
    'Sets an empty project up: settings, first admin, every language and sample car types. Possible exactly once.',
  input,
  allow: ['anyone'],
  limit: 10,
  answers: '{success: true, admin}',
  refuses: ['already_set_up', 'not_allowed', 'user_exists'],
  async handle(given, { accounts, config, db, now, random, texts }) {
    if (config.setupSecret !== null && given.secret !== config.setupSecret) {
      refuse('not_allowed', 'secret')
    }
    if ((await db.read('settings/appName')) !== null) refuse('already_set_up')
    const { firstName, lastName } = given
    const uid =
      (await accounts.create({ phone: given.mobile })) ??
      (await accounts.byPhone(given.mobile)) ??
      refuse('user_exists', 'mobile')
    const number = await referralNumber(db, firstName, random)
    const admin = createdByOffice(
      'admin',
      { firstName, lastName, mobile: given.mobile, email: '' },
      { uid, now, number },
      { uid, usertype: 'admin' },
      newSettings(given),
    )
    try {
      await db.update({
        // Write-once: of two setups at the same moment the second is refused whole.
        [at.audit('setup')]: { by: uid, at: now, action: 'setup', path: at.settings },
        [at.settings]: { ...newSettings(given) },
        [at.user(uid)]: plain(admin),
        ...languagesAt(now, await texts()),
        ...samplesAt(now),
      })
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      // Without settings nobody was faster: whose number it is signed in before, and has a rider's record.
      const isSetUp = (await db.read('settings/appName')) !== null
      return isSetUp ? refuse('already_set_up') : refuse('user_exists', 'mobile')
    }
    return { success: true, admin: uid }
  },
})
