import { expect, test } from 'vitest'
import { type ImportedRows, planVehicleType } from '~/domain/imports/importRows'
import { aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from '~/src/store/makeStore'
import { importVehicleType } from './importVehicleType'
import type { MemoryOptions } from '~/src/services/memory/backendTypes'
import type { VehicleType } from '~/domain/catalog/types'

const LIMO: ImportedRows['vehicleTypes'] = {
  name: 'Limo',
  base_fare: 10,
  rate_per_unit_distance: 2,
  rate_per_hour: 20,
  min_fare: 30,
  convenience_fees: 10,
  convenience_fee_type: 'percentage',
}
const EMPTY: readonly VehicleType[] = []

/** Imports rows one after another from a page that never sees what they changed. */
const createStalePage = () => {
  const admin = aRider({ id: 'admin', usertype: 'admin' })
  const backend = makeMemoryBackend({
    as: admin.id,
    seed: {
      settings: aSettings(),
      users: { [admin.id]: admin },
    } as unknown as MemoryOptions['seed'] & object,
  })
  const store = makeStore(backend.services)
  const importRow = (row: typeof LIMO, types = EMPTY) =>
    store.dispatch(importVehicleType.quiet({ row, types, createdAt: 1 })).unwrap()
  const getTypes = () => backend.getTree().cartypes as unknown as Record<string, VehicleType>
  return { backend, importRow, getTypes }
}
const { id: limoId } = planVehicleType(LIMO, EMPTY)

test('a type that the page does not know yet is neither added twice nor called added', async () => {
  const { importRow, getTypes } = createStalePage()
  expect(await importRow(LIMO)).toBe('added')
  expect(await importRow(LIMO)).toBe('unchanged')
  expect(Object.keys(getTypes())).toEqual([limoId])
})

test('a type that the page does not know yet keeps the fields that the file does not name', async () => {
  const { backend, importRow, getTypes } = createStalePage()
  await importRow(LIMO)
  backend.update({ [`cartypes/${limoId}/extra_info`]: 'Four seats' })
  expect(await importRow({ ...LIMO, base_fare: 99 })).toBe('changed')
  expect(getTypes()[limoId]).toMatchObject({ base_fare: 99, extra_info: 'Four seats' })
})

test.each([
  ['renamed', { [`cartypes/${limoId}/name`]: 'Limousine' }, EMPTY],
  ['deleted', { 'cartypes/other': null }, [aVehicleType({ ...LIMO, id: 'other' })]],
])('a type that was %s since the page read it is refused', async (_, change, types) => {
  const { backend, importRow } = createStalePage()
  await importRow(LIMO)
  backend.update(change)
  await expect(importRow(LIMO, types)).rejects.toMatchObject({ key: 'changed_meanwhile' })
})
