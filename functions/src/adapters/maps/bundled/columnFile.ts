const ARRAY_TYPES = { Int32Array, Uint32Array, Uint16Array, Float32Array, Uint8Array } as const
type ArrayTypeName = keyof typeof ARRAY_TYPES
export type Column = Int32Array | Uint32Array | Uint16Array | Float32Array | Uint8Array

const MAGIC = 0x3150_424b // "KBP1"
const alignTo8 = (bytes: number) => Math.ceil(bytes / 8) * 8

/**
 * Encodes named typed arrays behind a JSON header. The reader maps the file instead of parsing it,
 * so a cold start does not spend its first second on JSON.
 */
export const encodeColumnFile = (header: object, columns: Record<string, Column>): Buffer => {
  const index: Record<string, [ArrayTypeName, number, number]> = {}
  let size = 0
  for (const [name, column] of Object.entries(columns)) {
    index[name] = [column.constructor.name as ArrayTypeName, size, column.length]
    size += alignTo8(column.byteLength)
  }
  const head = Buffer.from(JSON.stringify({ ...header, columns: index }))
  const start = 8 + alignTo8(head.length)
  const file = Buffer.alloc(start + size)
  file.writeUInt32LE(MAGIC, 0)
  file.writeUInt32LE(head.length, 4)
  head.copy(file, 8)
  for (const [name, column] of Object.entries(columns)) {
    Buffer.from(column.buffer, column.byteOffset, column.byteLength).copy(
      file,
      start + (index[name]?.[1] ?? 0),
    )
  }
  return file
}

/** Returns the header and columns of a column file. Throws when the file has another format. */
export const decodeColumnFile = <Header, Columns extends Record<string, Column>>(
  file: Buffer,
): { header: Header; columns: Columns } => {
  if (file.length < 8 || file.readUInt32LE(0) !== MAGIC)
    throw new Error('The file is not a map pack. Run "npm run --prefix lab maps:build".')
  const headLength = file.readUInt32LE(4)
  const header = JSON.parse(file.toString('utf8', 8, 8 + headLength)) as Header & {
    columns: Record<string, [ArrayTypeName, number, number]>
  }
  const start = 8 + alignTo8(headLength)
  // A file's buffer may begin at any byte of a shared pool, but typed arrays need aligned memory.
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer
  const columns = Object.fromEntries(
    Object.entries(header.columns).map(([name, [kind, offset, length]]) => [
      name,
      new ARRAY_TYPES[kind](bytes, start + offset, length),
    ]),
  )
  return { header, columns: columns as Columns }
}
