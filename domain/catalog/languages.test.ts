import { expect, test } from 'vitest'
import { mergeTexts } from './languages'

const opened = { a: 'A', b: 'B', c: 'C', d: 'D' }
const without = (key: string) =>
  Object.fromEntries(Object.entries(opened).filter(([one]) => one !== key))

test('keeps the changes, additions and removals of both editors', () => {
  const mine = { ...without('d'), a: 'mine', mine: 'new' }
  const theirs = { ...without('c'), b: 'theirs', theirs: 'new' }
  expect(mergeTexts(opened, mine, theirs)).toEqual({
    texts: { a: 'mine', b: 'theirs', mine: 'new', theirs: 'new' },
    conflicts: [],
  })
})

test('lists the texts that both editors changed differently, and keeps the caller’s', () => {
  const theirs = { ...without('c'), a: 'theirs', b: 'same' }
  expect(mergeTexts(opened, { ...opened, a: 'mine', b: 'same', c: 'mine' }, theirs)).toEqual({
    texts: { a: 'mine', b: 'same', c: 'mine', d: 'D' },
    conflicts: ['a', 'c'],
  })
})
