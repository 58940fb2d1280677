import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { vehicleTypeForm } from '../forms/catalogForms'
import { aVehicleType } from '../testing/builders'
import { getVehicleTypeName } from './vehicleTypes'

describe('the name of a vehicle type', () => {
  const type = { name: 'Van', names: { de: 'Transporter', pt: 'Furgão' } }
  test.each([
    ['de', 'Transporter'],
    ['pt-BR', 'Furgão'],
    ['fr', 'Van'],
  ])('in %s is %s', (locale, name) => expect(getVehicleTypeName(type, locale)).toBe(name))

  test('is the default name without translations', () =>
    expect(getVehicleTypeName({ name: 'Van' }, 'de')).toBe('Van'))

  test('is not read from inherited properties of the translations', () =>
    expect(getVehicleTypeName(type, 'constructor')).toBe('Van'))
})

describe('the form of a vehicle type', () => {
  const parse = (names: unknown) => v.safeParse(vehicleTypeForm, { ...aVehicleType(), names })
  test('removes empty translations', () => {
    expect(parse({ de: ' Transporter ', fr: '  ' }).output).toMatchObject({
      names: { de: 'Transporter' },
    })
    expect(parse({ fr: '' })).toMatchObject({ success: true, output: { names: undefined } })
  })
  test.each([
    ['a name of more than 100 characters', { de: 'x'.repeat(101) }],
    ['a name that is not text', { de: 1 }],
    ['a key that is no locale', { 'd/e': 'Transporter' }],
  ])('refuses %s', (_, names) => expect(parse(names).success).toBe(false))
})
