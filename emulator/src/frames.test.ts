import { expect, test } from 'vitest'
import { Assembler, FrameError } from './frames'

const assemble = (...frames: string[]) => {
  const assembler = new Assembler()
  return frames.map((frame) => assembler.add(frame)).filter((message) => message !== null)
}

test('a message comes whole or in announced parts, which may look like numbers', () => {
  expect(assemble('{}', '0', '3', '{"a":', '12', '}', '0', '{"b":1}')).toEqual([
    '{}',
    '{"a":12}',
    '{"b":1}',
  ])
})

test('a message without end is refused', () => {
  const assembler = new Assembler()
  assembler.add('99999')
  const part = 'x'.repeat(1 << 24)
  expect(() => {
    for (let i = 0; i < 10; i++) assembler.add(part)
  }).toThrow(FrameError)
})
