import { expect, test } from 'vitest'
import { createAnimatedWebp } from './animatedWebp'

/** A still WebP picture whose pixels are these bytes. */
const createStill = (pixels: string): Buffer => {
  const head = Buffer.from('RIFF....WEBPVP8 ....', 'latin1')
  head.writeUInt32LE(pixels.length, 16)
  return Buffer.concat([head, Buffer.from(pixels, 'latin1')])
}

const SIZE = { width: 768, height: 480, frameMs: 250 }

test('joins still pictures into an animation with their size and time', () => {
  const file = createAnimatedWebp([createStill('abcd'), createStill('odd')], SIZE)
  expect(file.toString('latin1', 0, 4)).toBe('RIFF')
  expect(file.readUInt32LE(4)).toBe(file.length - 8)
  expect(file.toString('latin1', 8, 16)).toBe('WEBPVP8X')
  expect(file.readUIntLE(24, 3)).toBe(767)
  expect(file.readUIntLE(27, 3)).toBe(479)
  const first = file.indexOf('ANMF')
  expect(file.readUIntLE(first + 20, 3)).toBe(250)
  expect(file.toString('latin1', first + 24, first + 28)).toBe('VP8 ')
  expect(file.toString('latin1', first + 32, first + 36)).toBe('abcd')
  // The odd chunk ends with an empty byte.
  expect(file.toString('latin1').endsWith('odd\0')).toBe(true)
  expect(file.toString('latin1').split('ANMF')).toHaveLength(3)
})

test('refuses a frame that is not a WebP picture', () => {
  expect(() => createAnimatedWebp([Buffer.from('GIF89a, a picture')], SIZE)).toThrow(
    'A frame is not a WebP picture',
  )
})
