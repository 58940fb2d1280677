import type { Milliseconds } from '~/domain/language/units'

/** A chunk of a RIFF file: its name of four characters and its content. */
interface Chunk {
  name: string
  content: Buffer
}

const HEADER_BYTES = 12
/** The chunks of a picture that hold its pixels. */
const PIXEL_CHUNKS = ['ALPH', 'VP8 ', 'VP8L']
const ANIMATION_FLAG = 0x02
/** Each frame replaces the one before. */
const NO_BLENDING_FLAG = 0x02

const readChunks = (file: Buffer): Chunk[] => {
  const isWebp =
    file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp) throw new Error('A frame is not a WebP picture. Capture it as WebP.')
  const chunks: Chunk[] = []
  for (let at = HEADER_BYTES; at + 8 <= file.length;) {
    const size = file.readUInt32LE(at + 4)
    const content = file.subarray(at + 8, at + 8 + size)
    chunks.push({ name: file.toString('latin1', at, at + 4), content })
    // A chunk of an odd size is followed by an empty byte.
    at += 8 + size + (size % 2)
  }
  return chunks
}

const writeChunk = ({ name, content }: Chunk): Buffer => {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}

const toUInt24 = (value: number): Buffer =>
  Buffer.from([value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff])

/** Joins still WebP pictures of one size into an animated one that repeats forever. */
export const createAnimatedWebp = (
  frames: readonly Buffer[],
  { width, height, frameMs }: { width: number; height: number; frameMs: Milliseconds },
): Buffer => {
  const size = Buffer.concat([toUInt24(width - 1), toUInt24(height - 1)])
  const canvas = Buffer.concat([Buffer.from([ANIMATION_FLAG, 0, 0, 0]), size])
  const chunks: Chunk[] = [
    { name: 'VP8X', content: canvas },
    // A background color and the number of repetitions, where 0 means forever.
    { name: 'ANIM', content: Buffer.alloc(6) },
    ...frames.map((frame): Chunk => {
      const pixels = readChunks(frame).filter(({ name }) => PIXEL_CHUNKS.includes(name))
      const position = Buffer.alloc(6)
      const timing = Buffer.concat([toUInt24(frameMs), Buffer.from([NO_BLENDING_FLAG])])
      return {
        name: 'ANMF',
        content: Buffer.concat([position, size, timing, ...pixels.map(writeChunk)]),
      }
    }),
  ]
  const body = Buffer.concat([Buffer.from('WEBP', 'latin1'), ...chunks.map(writeChunk)])
  return writeChunk({ name: 'RIFF', content: body })
}
