import { expect, test } from 'vitest'
import type { MigrationContext } from './migration'
import { keepVehiclesSideBySide } from './vehicleLayout'

const context: MigrationContext = { settings: {}, texts: {}, now: 0 }

test('keeps vehicle types side by side and changes no other setting', () => {
  const changed = (value: boolean | string, field: string) =>
    keepVehiclesSideBySide.apply({ settings: value }, field, context)
  expect(changed(false, 'horizontal_view')).toEqual({ settings: true })
  expect(changed(true, 'horizontal_view')).toEqual({ settings: true })
  expect(changed(false, 'showLiveRoute')).toEqual({ settings: false })
  expect(changed('Zippy Cabs', 'appName')).toEqual({ settings: 'Zippy Cabs' })
})
