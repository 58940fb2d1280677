import { expect, test } from 'vitest'
import {
  compareSizes,
  createSizes,
  lowerBudget,
  measureFile,
  type Budget,
  type Sizes,
} from './sizes'

const measure = (text: string): Sizes => {
  const sizes = createSizes()
  measureFile(sizes, 'src/example.tsx', text)
  return sizes
}
const lines = (count: number) => Array.from({ length: count }, () => '  run()').join('\n')
const aFunction = (count: number) => `const run = () => {\n${lines(count - 2)}\n}\n`
const aBudget = (over: Partial<Budget> = {}): Budget => ({
  functionLines: 0,
  longFunctionLines: 0,
  fileLines: 0,
  parameters: 0,
  filesInFolder: 0,
  vagueNames: 0,
  ...over,
})

test.each([
  ['a function of 60 lines', aFunction(60), {}],
  ['a function of 61 lines', aFunction(61), { functionLines: 1 }],
  ['a function of 151 lines', aFunction(151), { functionLines: 1, longFunctionLines: 1 }],
  ['four parameters', 'const add = (a, b, c, d) => a', {}],
  ['five parameters', 'function add(a, b, c, d, e) { return a }', { parameters: 1 }],
  ['a type with five parameters', 'type Add = (a, b, c, d, e) => void', {}],
  ['a name that says nothing', 'const read = ({ a: found }) => found', { vagueNames: 1 }],
  ['a field with such a name', 'const state = { found: 1 }', {}],
  ['a file of 401 lines', lines(401), { fileLines: 1 }],
])('counts %s', (_, text, counts) => {
  const sizes = measure(text)
  const counted = Object.fromEntries(
    Object.entries(sizes).map(([name, findings]) => [name, findings.length]),
  )
  expect(counted).toEqual(aBudget(counts))
})

test('names the file and the first line of a function', () => {
  expect(measure(`\n${aFunction(61)}`).functionLines).toEqual([
    { place: 'src/example.tsx:2', size: 61 },
  ])
})

test('refuses more than the budget, asks to record less, and never raises it', () => {
  const sizes = measure(aFunction(61))
  expect(compareSizes(aBudget({ functionLines: 1 }), sizes)).toEqual([])
  expect(compareSizes(aBudget(), sizes)).toEqual([
    expect.stringMatching(/^There are 1 functions of more than 60 lines, and the budget is 0\./),
  ])
  expect(compareSizes(aBudget({ functionLines: 2 }), sizes)).toEqual([
    expect.stringMatching(/fewer than the budget of 2\. Record it/),
  ])
  expect(lowerBudget(aBudget({ parameters: 3 }), sizes)).toEqual(aBudget())
})
