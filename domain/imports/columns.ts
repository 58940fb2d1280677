import { shouldShowBankFields } from '../access/permissions'
import type { Settings } from '../catalog/types'

/** The kinds of records that the office imports. */
export const IMPORT_KINDS = ['drivers', 'riders', 'vehicleTypes', 'bookings'] as const
export type ImportKind = (typeof IMPORT_KINDS)[number]

export const MAX_IMPORT_ROWS = 2000
export const MAX_IMPORT_BYTES = 2 * 1024 * 1024

type Reading = 'text' | 'phone' | 'number' | 'time' | 'carType' | 'feeType'
export interface ImportColumn {
  /** The name of the field in the row, which is also accepted as a heading. */
  field: string
  /** The key of the heading's text. */
  title: string
  reading: Reading
  isRequired?: true
}

/** The message for a cell that cannot be read, by what was expected. */
export const READING_MESSAGES: Record<Reading, string> = {
  text: 'field_required',
  phone: 'field_mobile',
  number: 'field_number',
  time: 'import_not_a_time',
  carType: 'import_not_a_vehicle_type',
  feeType: 'field_choice',
}

const text = (field: string, title = field): ImportColumn => ({ field, title, reading: 'text' })
const required = (column: ImportColumn): ImportColumn => ({ ...column, isRequired: true })

const PERSON: readonly ImportColumn[] = [
  required(text('firstName')),
  required(text('lastName')),
  required({ ...text('mobile'), reading: 'phone' }),
  required(text('email')),
]
const PARCEL_FIELDS = [
  'deliveryPerson',
  'deliveryPersonPhone',
  'parcelType',
  'option',
  'deliveryInstructions',
]
const BANK_FIELDS = ['bankName', 'bankCode', 'bankAccount']

const price = (field: string, title = field): ImportColumn =>
  required({ field, title, reading: 'number' })

/** The columns of each kind, in the order of the template. */
const IMPORT_COLUMNS: Record<ImportKind, readonly ImportColumn[]> = {
  riders: PERSON,
  drivers: [
    ...PERSON,
    { field: 'carType', title: 'car_type', reading: 'carType' },
    text('vehicleMake', 'vehicle_make'),
    text('vehicleModel', 'vehicle_model'),
    text('vehicleNumber', 'vehicle_no'),
    text('other_info'),
    text('bankName', 'bank_name'),
    text('bankCode', 'bank_code'),
    text('bankAccount', 'bank_account'),
  ],
  vehicleTypes: [
    required(text('name')),
    price('base_fare'),
    price('rate_per_unit_distance', 'rate_per_km'),
    price('rate_per_hour'),
    price('min_fare'),
    price('convenience_fees', 'convenience_fee'),
    required({ ...text('convenience_fee_type'), reading: 'feeType' }),
    text('extra_info'),
  ],
  bookings: [
    text('reference', 'own_reference'),
    required(text('name', 'customer')),
    required({ ...text('mobile'), reading: 'phone' }),
    required(text('pickup')),
    text('stops', 'import_stops'),
    required(text('drop')),
    required({ field: 'tripdate', title: 'trip_date', reading: 'time' }),
    required({ field: 'carType', title: 'car_type', reading: 'carType' }),
    text('deliveryPerson'),
    text('deliveryPersonPhone'),
    text('parcelType', 'parcel_type'),
    text('option'),
    text('pickUpInstructions'),
    text('deliveryInstructions'),
  ],
}

/**
 * Returns the columns that a platform uses: bank details and parcels only where it has them,
 * and rates per its unit of length.
 */
export const getImportColumns = (
  kind: ImportKind,
  settings: Pick<Settings, 'appcat' | 'bank_fields' | 'convert_to_mile'>,
): ImportColumn[] => {
  const unused = [
    ...(settings.appcat === 'delivery' ? [] : PARCEL_FIELDS),
    ...(shouldShowBankFields(settings) ? [] : BANK_FIELDS),
  ]
  return IMPORT_COLUMNS[kind]
    .filter(({ field }) => !unused.includes(field))
    .map((column) =>
      column.title === 'rate_per_km' && settings.convert_to_mile
        ? { ...column, title: 'rate_per_mile' }
        : column,
    )
}
