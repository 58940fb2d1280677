import { expect, test } from 'vitest'
import { MessageAssembler, FrameError } from './messageAssembler'

const assembleFrames = (...frames: string[]) => {
  const assembler = new MessageAssembler()
  return frames.map((frame) => assembler.add(frame)).filter((message) => message !== null)
}

test('accepts a message as one frame or in announced parts, even if a part looks like a number', () => {
  expect(assembleFrames('{}', '0', '3', '{"a":', '12', '}', '0', '{"b":1}')).toEqual([
    '{}',
    '{"a":12}',
    '{"b":1}',
  ])
})

test('refuses an endless message', () => {
  const assembler = new MessageAssembler()
  assembler.add('99999')
  const part = 'x'.repeat(1 << 24)
  expect(() => {
    for (let i = 0; i < 10; i++) assembler.add(part)
  }).toThrow(FrameError)
})
