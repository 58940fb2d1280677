/** A frame that cannot be part of a message; it ends the connection. */
export class FrameError extends Error {}

const MAX_MESSAGE_CHARACTERS = 64 * 1024 * 1024
const MAX_COUNT_DIGITS = 6
const KEEP_ALIVE_FRAME = '0'

/**
 * Assembles messages. A long one starts with a frame that contains the number of frames that
 * follow. The keep-alive `0` announces none.
 */
export class MessageAssembler {
  private missing = 0
  private parts: string[] = []
  private length = 0

  /** Returns the message that this frame completes, or null. */
  add(frame: string): string | null {
    if (this.missing > 0) {
      this.length += frame.length
      if (this.length > MAX_MESSAGE_CHARACTERS) throw new FrameError('The message is too long')
      this.parts.push(frame)
      this.missing--
      if (this.missing > 0) return null
      const message = this.parts.join('')
      this.parts = []
      this.length = 0
      return message
    }
    if (frame === KEEP_ALIVE_FRAME) return null
    if (frame.length <= MAX_COUNT_DIGITS && /^\d+$/.test(frame)) {
      this.missing = Number(frame)
      return null
    }
    return frame
  }
}
