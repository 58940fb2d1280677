import { describe, expect, it } from 'vitest'
import { aVehicleType, NOON } from '../testing/builders'
import type { Cell } from './cells'
import { getImportColumns, IMPORT_KINDS, MAX_IMPORT_ROWS, type ImportKind } from './columns'
import { createRowChecks, IMPORT_KEYS, planVehicleType, type ImportedRows } from './importRows'
import { readImportTable } from './importTable'

const TITLES: Record<string, string[]> = {
  firstName: ['Vorname', 'First name'],
  mobile: ['Handynummer', 'Mobile number'],
  rate_per_unit_distance: ['Preis pro km', 'Rate per km'],
}
const read = <Kind extends ImportKind>(
  kind: Kind,
  cells: Cell[][],
  appcat: 'taxi' | 'delivery' = 'taxi',
) => {
  const context = {
    country: 'UY',
    timezone: 'America/Montevideo',
    locale: 'en-GB',
    feeTypes: { flat: [], percentage: [] },
    vehicleTypes: [
      aVehicleType({ id: 'van', name: 'Van', parcelTypes: [{ description: 'Box', amount: 1 }] }),
    ],
    settings: { appcat },
    now: NOON,
  }
  return readImportTable<ImportedRows[Kind]>(cells, {
    columns: getImportColumns(kind, { appcat, bank_fields: true, convert_to_mile: false }),
    getTitles: ({ field }) => TITLES[field] ?? [field],
    context,
    check: createRowChecks(context)[kind],
    getKeys: IMPORT_KEYS[kind],
  })
}
const PEOPLE = ['firstName', 'lastName', 'mobile', 'email']
const ANA = ['Ana', 'Silva', '099 123 456', 'Ana@Example.com']
const readPeople = (...rows: Cell[][]) => {
  const table = read('drivers', [PEOPLE, ...rows])
  if (!table.ok) throw new Error(table.error.key)
  return table.value.rows
}

describe('the headings of a file', () => {
  it('are names in either language, names of fields, or names with a unit, in any order', () => {
    const table = read('drivers', [
      ['\uFEFFVORNAME *', 'Shoe size', 'Mobile  number (with country code)', 'email', 'lastName'],
      ['Ana', 38, '099123456', 'ana@example.com', 'Silva'],
    ])
    expect(table).toMatchObject({
      ok: true,
      value: {
        ignored: ['Shoe size'],
        rows: [{ number: 2, faults: {}, value: { firstName: 'Ana', mobile: '+59899123456' } }],
      },
    })
  })
  it.each([
    [
      'import_missing_column',
      [
        ['firstName', 'lastName', 'email'],
        ['Ana', 'Silva', 'a@b.co'],
      ],
    ],
    ['import_double_column', [['firstName', 'First name', ...PEOPLE.slice(1)], ANA]],
    ['import_empty', []],
    ['import_empty', [PEOPLE]],
    ['import_empty', [PEOPLE, ['', null, ' ']]],
    ['import_too_many_rows', [PEOPLE, ...Array.from({ length: MAX_IMPORT_ROWS + 1 }, () => ANA)]],
  ])('lead to %s', (key, cells) => {
    expect(read('drivers', cells)).toMatchObject({ ok: false, error: { key } })
  })
  it.each(IMPORT_KINDS)('of the template of %s name every required column', (kind) => {
    const columns = getImportColumns(kind, {
      appcat: 'delivery',
      bank_fields: true,
      convert_to_mile: false,
    })
    const filled = read(
      kind,
      [columns.map(({ field }) => field), columns.map(() => 'x')],
      'delivery',
    )
    expect(filled.ok && filled.value.columns).toEqual(columns)
  })
})

describe('the rows of a file', () => {
  it('name the row and the column of each fault, and leave the other rows valid', () => {
    const rows = readPeople(ANA, ['', null, '', ''], ['', 'Paz', '12', 'no address'])
    expect(rows.map(({ number, faults }) => [number, faults])).toEqual([
      [2, {}],
      [
        4,
        {
          firstName: { key: 'field_required' },
          mobile: { key: 'field_mobile' },
          email: { key: 'proper_email' },
        },
      ],
    ])
    expect(rows.map(({ value }) => value !== null)).toEqual([true, false])
  })
  it('may not repeat a phone number or an email address', () => {
    const rows = readPeople(
      ANA,
      ['Eva', 'Paz', '+598 99 123 456', 'eva@example.com'],
      ['Eva', 'Paz', '099 000 111', 'ANA@example.com'],
    )
    const duplicate = { key: 'import_duplicate', params: { row: 2 } }
    expect(rows.map(({ faults }) => faults)).toEqual([
      {},
      { mobile: duplicate },
      { email: duplicate },
    ])
  })
  it('keep hostile texts as texts', () => {
    const [row] = readPeople(['=cmd|calc', '<script>alert(1)</script>', '099123456', 'a@b.co'])
    expect(row?.value).toMatchObject({
      firstName: '=cmd|calc',
      lastName: '<script>alert(1)</script>',
    })
  })
  it('may be shorter or longer than the headings', () => {
    const rows = readPeople([...ANA, 'more', 'and more'], ['Ana'])
    expect(rows.map(({ value }) => value !== null)).toEqual([true, false])
  })
  it.each(['constructor', '__proto__', 'toString'])('ignore a column named %s', (name) => {
    const table = read('drivers', [
      [...PEOPLE, name],
      [...ANA, 'x'],
    ])
    expect(table).toMatchObject({ ok: true, value: { ignored: [name] } })
  })
})

const PRICES = ['base_fare', 'Rate per km', 'rate_per_hour', 'min_fare', 'convenience_fees']
const FARES = ['name', ...PRICES, 'convenience_fee_type']
const readTypes = (...rows: Cell[][]) => {
  const table = read('vehicleTypes', [FARES, ...rows])
  if (!table.ok) throw new Error(table.error.key)
  return table.value.rows
}

describe('vehicle types of a file', () => {
  it('have prices in the format of the locale', () => {
    const [row] = readTypes(['Limo', '1,250.50', 12, '300', '5', '10', 'percentage'])
    expect(row?.value).toMatchObject({ base_fare: 1250.5, rate_per_unit_distance: 12 })
  })
  it('refuse negative prices, texts, and a fee above one hundred percent', () => {
    const [row, high] = readTypes(
      ['Limo', -1, 'ten', 1, 1, 10, 'maybe'],
      ['Limo 2', 1, 1, 1, 1, 101, '%'],
    )
    expect(row?.faults).toMatchObject({
      base_fare: { key: 'field_not_negative' },
      rate_per_unit_distance: { key: 'field_number' },
      convenience_fee_type: { key: 'field_choice' },
    })
    expect(high?.faults).toEqual({ convenience_fees: { key: 'field_percentage' } })
  })
  it('change what differs, and change nothing the second time', () => {
    const [row] = readTypes(['van', 7, 1, 1, 1, 10, 'flat'])
    const value = row?.value
    if (!value) throw new Error('The row is invalid.')
    const van = aVehicleType({ id: 'van', name: 'Van' })
    const plan = planVehicleType(value, [van])
    expect(plan).toMatchObject({ status: 'changed', id: 'van', changes: { base_fare: 7 } })
    expect(plan.changes).not.toHaveProperty('name')
    expect(planVehicleType(value, [{ ...van, ...plan.changes }]).status).toBe('unchanged')
  })
  it('get the same id each time they are added', () => {
    const [row] = readTypes(['Limo', 7, 1, 1, 1, 10, 'flat'])
    const value = row?.value
    if (!value) throw new Error('The row is invalid.')
    const plans = [planVehicleType(value, []), planVehicleType({ ...value, name: 'LIMO ' }, [])]
    expect(new Set(plans.map(({ id }) => id)).size).toBe(1)
    expect(plans[0]?.status).toBe('added')
  })
  it('do not take the id of one that has been renamed since', () => {
    const [row] = readTypes(['Limo', 7, 1, 1, 1, 10, 'flat'])
    const value = row?.value
    if (!value) throw new Error('The row is invalid.')
    const { id } = planVehicleType(value, [])
    const renamed = aVehicleType({ id, name: 'Limousine' })
    const second = planVehicleType(value, [renamed])
    expect(second.status).toBe('added')
    expect(second.id).not.toBe(id)
    expect(planVehicleType(value, [renamed]).id).toBe(second.id)
    const added = aVehicleType({ ...value, id: second.id })
    expect(planVehicleType(value, [renamed, added])).toMatchObject({
      status: 'unchanged',
      id: second.id,
    })
  })
})

const TRIP = ['reference', 'name', 'mobile', 'pickup', 'drop', 'tripdate', 'carType']
const LATER = new Date(NOON + 86_400_000)
const readBookings = (headings: string[], row: Cell[], appcat: 'taxi' | 'delivery' = 'taxi') => {
  const table = read('bookings', [headings, row], appcat)
  if (!table.ok) throw new Error(table.error.key)
  const [first] = table.value.rows
  if (!first) throw new Error('There is no row.')
  return first
}

describe('bookings of a file', () => {
  const cells = ['R-1', 'Ana Silva', '099123456', 'Street 1', 'Street 2', LATER, 'Van']
  it('are the same by their own reference, or else by all details', () => {
    const keyOf = (row: Cell[]) => readBookings(TRIP, row).value?.key
    expect(keyOf(cells)).toBe(keyOf(['r-1 ', ...cells.slice(1)]))
    expect(keyOf(cells)).toBe(keyOf(['R-1', 'Eva', ...cells.slice(2)]))
    expect(keyOf(['', ...cells.slice(1)])).not.toBe(keyOf(['', 'Eva', ...cells.slice(2)]))
  })
  it.each([
    ['a time that has passed', { tripdate: new Date(NOON - 86_400_000) }, 'past_booking_error'],
    ['a time in two years', { tripdate: new Date(NOON + 730 * 86_400_000) }, 'too_far_ahead'],
    ['no time', { tripdate: 'soon' }, 'import_not_a_time'],
    ['an unknown vehicle type', { carType: 'Boat' }, 'import_not_a_vehicle_type'],
  ])('are refused for %s', (_, change, key) => {
    const [field = '', value = null] = Object.entries<Cell>(change)[0] ?? []
    const row = cells.map((cell, at): Cell => (TRIP[at] === field ? value : cell))
    expect(readBookings(TRIP, row).faults).toEqual({
      [field]: expect.objectContaining({ key }) as unknown,
    })
  })
  it('may have stops, of which each is an address', () => {
    const readStops = (stops: string) => readBookings([...TRIP, 'stops'], [...cells, stops])
    expect(readStops(' First 1 |Second 2|').value?.stops).toEqual(['First 1', 'Second 2'])
    expect(readStops('').value?.key).toBe(readBookings(TRIP, cells).value?.key)
    const crowded = Array.from({ length: 26 }, (_, at) => `Street ${at}`).join('|')
    expect(readStops(crowded).faults).toEqual({
      stops: { key: 'too_many_stops', params: { most: 25 } },
    })
    expect(readStops(`First 1 | ${'x'.repeat(1000)}`).faults).toEqual({
      stops: { key: 'field_too_long' },
    })
  })
  it('need a recipient where parcels are delivered, and may name the parcel type', () => {
    const headings = [...TRIP, 'deliveryPerson', 'deliveryPersonPhone', 'parcelType']
    expect(Object.keys(readBookings(TRIP, cells, 'delivery').faults)).toEqual([
      'deliveryPerson',
      'deliveryPersonPhone',
    ])
    const full = readBookings(headings, [...cells, 'Eva', '099 000 111', 'box'], 'delivery')
    expect(full.value).toMatchObject({ parcelTypeIndex: 0, deliveryPerson: 'Eva' })
    const wrong = readBookings(headings, [...cells, 'Eva', '099 000 111', 'Sofa'], 'delivery')
    expect(wrong.faults).toEqual({ parcelType: { key: 'field_choice' } })
  })
})
