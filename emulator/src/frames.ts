/** What a client sent that can't be a message; the connection ends. */
export class FrameError extends Error {}

const MAX_MESSAGE = 64 * 1024 * 1024
const LONGEST_COUNT = 6
const KEEP_ALIVE = '0'

/**
 * Puts messages together again: a long one comes as a frame with the number of frames that follow,
 * then those. The keep-alive `0` announces nothing.
 */
export class Assembler {
  private missing = 0
  private parts: string[] = []
  private length = 0

  /** The whole message this frame completes; null while there is none. */
  add(frame: string): string | null {
    if (this.missing > 0) {
      this.length += frame.length
      if (this.length > MAX_MESSAGE) throw new FrameError('The message is too long')
      this.parts.push(frame)
      this.missing--
      if (this.missing > 0) return null
      const message = this.parts.join('')
      this.parts = []
      this.length = 0
      return message
    }
    if (frame === KEEP_ALIVE) return null
    if (frame.length <= LONGEST_COUNT && /^\d+$/.test(frame)) {
      this.missing = Number(frame)
      return null
    }
    return frame
  }
}
