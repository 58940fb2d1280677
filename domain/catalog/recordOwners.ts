import type { Promo } from './types'
import { SETTING_DEFINITIONS, type SettingDefinition, type SettingName } from './settingDefinitions'

type RecordOwner = 'admin' | 'functions'

/** The writer of each field of a promo. Its uses are counted and never entered. */
export const PROMO_FIELD_OWNERS = {
  id: 'admin',
  promo_name: 'admin',
  promo_description: 'admin',
  promo_discount_type: 'admin',
  promo_discount_value: 'admin',
  max_promo_discount_value: 'admin',
  min_order: 'admin',
  promo_validity: 'admin',
  promo_usage_limit: 'admin',
  user_avail: 'functions',
  createdAt: 'admin',
} as const satisfies Record<keyof Promo, RecordOwner>
export const PROMO_FIELDS = Object.keys(PROMO_FIELD_OWNERS) as (keyof Promo)[]

/** The writer of each setting. */
export const SETTING_OWNERS = Object.fromEntries(
  Object.entries<SettingDefinition>(SETTING_DEFINITIONS).map(([name, { owner = 'admin' }]) => [
    name,
    owner,
  ]),
) as Readonly<Record<SettingName, RecordOwner>>
