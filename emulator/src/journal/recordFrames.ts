import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

// Before each payload: a CRC-32 of length and payload, then the length.
const HEADER_BYTES = 8
const CRC_BYTES = 4
const READ_BYTES = 1 << 20
const MIN_CAPACITY = 1 << 16
const MAX_REUSED_CAPACITY = 1 << 20

/** A growing sequence of frames, written to a file in one piece. */
export class FrameBuffer {
  private buffer = Buffer.allocUnsafe(MIN_CAPACITY)
  /** Bytes of all frames so far. */
  length = 0

  add(payload: Uint8Array | string): void {
    const size = typeof payload === 'string' ? Buffer.byteLength(payload) : payload.length
    const start = this.length
    const end = start + HEADER_BYTES + size
    this.reserve(end)
    this.buffer.writeUInt32LE(size, start + CRC_BYTES)
    if (typeof payload === 'string') this.buffer.write(payload, start + HEADER_BYTES)
    else this.buffer.set(payload, start + HEADER_BYTES)
    this.buffer.writeUInt32LE(crc32(this.buffer.subarray(start + CRC_BYTES, end)), start)
    this.length = end
  }

  bytes(): Buffer {
    return this.buffer.subarray(0, this.length)
  }

  clear(): void {
    this.length = 0
    if (this.buffer.length > MAX_REUSED_CAPACITY) this.buffer = Buffer.allocUnsafe(MIN_CAPACITY)
  }

  private reserve(length: number): void {
    if (length <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(length, this.buffer.length * 2))
    this.buffer.copy(larger, 0, 0, this.length)
    this.buffer = larger
  }
}

interface FrameScan {
  /** Bytes of complete frames from the start of the file. */
  readonly validBytes: number
  /** Bytes after the complete frames. */
  readonly remainingBytes: number
  /**
   * True when the rest cannot be an interrupted write, because bytes inside the file have changed.
   */
  readonly damaged: boolean
}

/** Passes each complete frame of a file to a callback, in order, and reports where they end. */
export const readFrames = async (
  path: string,
  onFrame: (payload: Buffer) => void,
): Promise<FrameScan> => {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    let valid = 0
    let loaded: Buffer = Buffer.alloc(0)
    let loadedAt = 0

    /** Loads `length` bytes after the valid ones. Returns false when the file ends earlier. */
    const load = async (length: number): Promise<boolean> => {
      if (valid + length > size) return false
      if (valid + length <= loadedAt + loaded.length) return true
      const target = Buffer.allocUnsafe(Math.min(size - valid, Math.max(length, READ_BYTES)))
      let filled = 0
      while (filled < target.length) {
        const { bytesRead } = await file.read(
          target,
          filled,
          target.length - filled,
          valid + filled,
        )
        if (bytesRead === 0) return false
        filled += bytesRead
      }
      loaded = target
      loadedAt = valid
      return true
    }

    while (await load(HEADER_BYTES)) {
      const length = loaded.readUInt32LE(valid - loadedAt + CRC_BYTES)
      if (!(await load(HEADER_BYTES + length))) break
      const start = valid - loadedAt
      const end = start + HEADER_BYTES + length
      if (crc32(loaded.subarray(start + CRC_BYTES, end)) !== loaded.readUInt32LE(start)) {
        return { validBytes: valid, remainingBytes: size - valid, damaged: true }
      }
      onFrame(loaded.subarray(start + HEADER_BYTES, end))
      valid += HEADER_BYTES + length
    }
    return { validBytes: valid, remainingBytes: size - valid, damaged: false }
  } finally {
    await file.close()
  }
}
