const KINDS = { Int32Array, Uint32Array, Uint16Array, Float32Array, Uint8Array } as const
type Kind = keyof typeof KINDS
export type Column = Int32Array | Uint32Array | Uint16Array | Float32Array | Uint8Array

const MAGIC = 0x3150_424b // "KBP1"
const roundUp = (bytes: number) => Math.ceil(bytes / 8) * 8

/**
 * A file of named typed arrays behind a JSON header: opened by mapping, not by parsing, so a cold
 * function does not spend its first second on JSON.
 */
export const writePack = (header: object, columns: Record<string, Column>): Buffer => {
  const index: Record<string, [Kind, number, number]> = {}
  let size = 0
  for (const [name, column] of Object.entries(columns)) {
    index[name] = [column.constructor.name as Kind, size, column.length]
    size += roundUp(column.byteLength)
  }
  const head = Buffer.from(JSON.stringify({ ...header, columns: index }))
  const start = 8 + roundUp(head.length)
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

/** Header and columns of a pack; throws when the file is not one. */
export const readPack = <Header, Columns extends Record<string, Column>>(
  file: Buffer,
): { header: Header; columns: Columns } => {
  if (file.length < 8 || file.readUInt32LE(0) !== MAGIC) throw new Error('Not a map pack.')
  const headLength = file.readUInt32LE(4)
  const header = JSON.parse(file.toString('utf8', 8, 8 + headLength)) as Header & {
    columns: Record<string, [Kind, number, number]>
  }
  const start = 8 + roundUp(headLength)
  // A file's buffer may begin at any byte of a shared pool; typed arrays need theirs aligned.
  const bytes = file.buffer.slice(file.byteOffset, file.byteOffset + file.length) as ArrayBuffer
  const columns = Object.fromEntries(
    Object.entries(header.columns).map(([name, [kind, offset, length]]) => [
      name,
      new KINDS[kind](bytes, start + offset, length),
    ]),
  )
  return { header, columns: columns as Columns }
}
