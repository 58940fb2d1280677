import type { Promo, VehicleType } from './types'
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

/** The writer of each field of a vehicle type. Admins set its prices. */
export const VEHICLE_TYPE_FIELD_OWNERS = {
  id: 'admin',
  name: 'admin',
  names: 'admin',
  image: 'admin',
  base_fare: 'admin',
  rate_per_unit_distance: 'admin',
  rate_per_hour: 'admin',
  min_fare: 'admin',
  convenience_fees: 'admin',
  convenience_fee_type: 'admin',
  extra_info: 'admin',
  infos: 'admin',
  createdAt: 'admin',
  parcelTypes: 'admin',
  options: 'admin',
  cancelSlab: 'admin',
} as const satisfies Record<keyof VehicleType, RecordOwner>
export const VEHICLE_TYPE_FIELDS = Object.keys(VEHICLE_TYPE_FIELD_OWNERS) as (keyof VehicleType)[]

/** The fields that admins write, of the owners of a record's fields. */
export type AdminFieldOf<Owners> = {
  [Field in keyof Owners]: Owners[Field] extends 'admin' ? Field : never
}[keyof Owners]

/** The writer of each setting. */
export const SETTING_OWNERS = Object.fromEntries(
  Object.entries<SettingDefinition>(SETTING_DEFINITIONS).map(([name, { owner = 'admin' }]) => [
    name,
    owner,
  ]),
) as Readonly<Record<SettingName, RecordOwner>>
