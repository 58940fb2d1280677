import { describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { renumberReasons, removeReason, addReason, relabelReason } from './cancellationReasons'
import { getBookedChoiceText, getChoiceText, getReasonText } from './catalogTexts'
import { cancellationReasonForm, choiceForm } from '../forms/catalogForms'
import { resolveExtras } from '../booking/bookedFields'

const documents = { description: 'Documents', names: { de: 'Dokumente', pt: 'Docs' }, amount: 5 }
const reasons = [{ label: 'Rain', names: { de: 'Regen' } }, { label: 'Late' }]

describe('a parcel type or an option', () => {
  test.each([
    ['de', 'Dokumente'],
    ['de-AT', 'Dokumente'],
    ['pt_BR', 'Docs'],
    ['fr', 'Documents'],
    ['constructor', 'Documents'],
  ])('in %s is %s', (locale, text) => expect(getChoiceText(documents, locale)).toBe(text))

  test('of a booking is translated by the text that the booking stores', () => {
    expect(getBookedChoiceText([documents], 'Documents', 'de')).toBe('Dokumente')
  })

  test('of a booking stays as booked when the list no longer has it', () => {
    expect(getBookedChoiceText([documents], 'Letters', 'de')).toBe('Letters')
    expect(getBookedChoiceText(undefined, 'Letters', 'de')).toBe('Letters')
  })

  test('is stored in a booking without its translations', () => {
    const extras = resolveExtras(
      { parcelTypes: [documents], options: [documents] },
      { parcelTypeIndex: 0, optionIndex: 0 },
      { appcat: 'delivery' },
    )
    const stored = { description: 'Documents', amount: 5 }
    expect(extras).toEqual({ ok: true, value: { parcelType: stored, option: stored } })
  })
})

describe('a cancellation reason', () => {
  test.each([
    ['Rain', 'de', 'Regen'],
    ['Rain', 'fr', 'Rain'],
    ['Late', 'de', 'Late'],
    ['The dog ate it', 'de', 'The dog ate it'],
  ])('%s in %s is %s', (label, locale, text) =>
    expect(getReasonText(reasons, label, locale)).toBe(text),
  )

  test('keeps its translations when the list is numbered again', () => {
    const list = renumberReasons(reasons)
    expect(removeReason(addReason(list, { label: 'New', names: { de: 'Neu' } }), 1)).toEqual([
      { label: 'Rain', names: { de: 'Regen' }, value: 0 },
      { label: 'New', names: { de: 'Neu' }, value: 1 },
    ])
    expect(relabelReason(list, 0, { label: 'Storm' })[0]).toEqual({ label: 'Storm', value: 0 })
  })
})

describe.each([
  ['a parcel type', choiceForm, { description: 'Documents', amount: 0 }, 500],
  ['a cancellation reason', cancellationReasonForm, { label: 'Rain' }, 200],
])('the form of %s', (_, form, fields, most) => {
  const parse = (names: unknown) => v.safeParse(form, { ...fields, names })

  test('removes empty translations', () => {
    expect(parse({ de: ' Regen ', fr: ' ' }).output).toMatchObject({ names: { de: 'Regen' } })
    const withoutTexts = parse({ fr: '' })
    expect(withoutTexts.success).toBe(true)
    expect(withoutTexts.output).not.toHaveProperty('names', expect.anything())
  })

  test.each([
    ['a translation that is too long', { de: 'x'.repeat(most + 1) }, false],
    ['the longest translation', { de: 'x'.repeat(most) }, true],
    ['a translation that is not text', { de: 1 }, false],
    ['a key that is no locale', { 'd/e': 'Regen' }, false],
  ])('checks %s', (_what, names, isValid) => expect(parse(names).success).toBe(isValid))
})
