import { expect, test } from 'vitest'
import { composeSms, fillVariables, findVariableFault } from './messageTexts'

test.each([
  ['{{driver}} is coming in {{vehicle}}.', []],
  ['No variable at all', []],
  ['{{driver}} pays {{amount}}', ['{{amount}}']],
  ['{{Driver}}', ['{{Driver}}']],
  ['{{constructor}}', ['{{constructor}}']],
  ['{driver}', ['{driver}']],
  ['{{driver}', ['{{driver}']],
  ['{{ driver }}', ['{{ driver }}']],
  ['{{}}', ['{{}}']],
  ['{{amount}} {{amount}}', ['{{amount}}']],
  ['a } b', ['}']],
])('finds what is not a variable of the message in %j', (text, unknown) => {
  const fault = findVariableFault('push_accepted_msg', text)
  expect(fault?.unknown ?? []).toEqual(unknown)
  if (fault) expect(fault.allowed).toEqual(['{{driver}}', '{{vehicle}}'])
})

test('knows the variable of the sentence with the link, and finds no fault in other texts', () => {
  expect(findVariableFault('message_follow', '{{link}}')).toBeUndefined()
  expect(findVariableFault('message_follow', '{{driver}}')?.unknown).toEqual(['{{driver}}'])
  for (const key of ['hello', 'constructor', 'push_unknown_msg'])
    expect(findVariableFault(key, '{{anything}}')).toBeUndefined()
})

test('fills known variables and removes the others', () => {
  expect(fillVariables('{{a}} {{b}}!', { a: 1 })).toBe('1 !')
})

test('begins an SMS with the name of the product and ends it with the link', () => {
  const texts = { heading: 'Driver on the way', body: 'Juan is coming.' }
  expect(composeSms('Acme', texts)).toBe('Acme: Driver on the way. Juan is coming.')
  expect(composeSms('Acme', { ...texts, follow: 'Follow: x' })).toBe(
    'Acme: Driver on the way. Juan is coming. Follow: x',
  )
})
