import { Branch, PackedBranch, PrioritizedLeaf, SmallBranch } from './node'
import type { Node, Scalar } from './node'

/**
 * The form of a written node: `export` includes priorities; `plain` omits them; `arrays` omits them
 * and writes arrays for mostly complete integer keys from 0, as REST does.
 */
export type JsonForm = 'export' | 'plain' | 'arrays'

const PIECE_CHARACTERS = 1 << 16

/** Collects text and passes it on in pieces, so that a large response is never one string. */
class PieceWriter {
  private text = ''

  constructor(private readonly sink: (piece: string) => void) {}

  put(text: string): void {
    this.text += text
    if (this.text.length > PIECE_CHARACTERS) this.flush()
  }

  flush(): void {
    if (this.text !== '') this.sink(this.text)
    this.text = ''
  }
}

const scalarToJson = (value: Scalar): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value)

const ARRAY_INDEX = /^(0|[1-9]\d{0,8})$/

const toArray = (branch: Branch): (Node | null)[] | null => {
  let last = -1
  for (const key of branch.keys()) {
    // Integer keys sort first, so the first other key decides.
    if (!ARRAY_INDEX.test(key)) return null
    last = Math.max(last, Number(key))
  }
  if (last >= 2 * branch.size) return null
  const items = new Array<Node | null>(last + 1).fill(null)
  branch.forEach((key, child) => {
    items[Number(key)] = child
  })
  return items
}

const writeBranch = (writer: PieceWriter, branch: Branch, form: JsonForm): void => {
  const items = form === 'arrays' ? toArray(branch) : null
  if (items !== null) {
    items.forEach((item, i) => {
      writer.put(i === 0 ? '[' : ',')
      writeNode(writer, item, form)
    })
    writer.put(']')
    return
  }
  let before = '{'
  if (form === 'export' && branch.priority !== null) {
    writer.put(`{".priority":${scalarToJson(branch.priority)}`)
    before = ','
  }
  if (branch instanceof SmallBranch) {
    const quoted = branch.shape.getQuotedKeys()
    for (let i = 0; i < quoted.length; i++) {
      writer.put(before + (quoted[i] as string))
      writeNode(writer, branch.values[i] as Node, form)
      before = ','
    }
  } else {
    branch.forEach((key, child) => {
      writer.put(`${before}${JSON.stringify(key)}:`)
      writeNode(writer, child, form)
      before = ','
    })
  }
  writer.put('}')
}

const writePacked = (writer: PieceWriter, row: PackedBranch, form: JsonForm): void => {
  const { getPackedText } = row
  const says =
    getPackedText !== null &&
    (form === 'export' || (form === 'plain' && !getPackedText.includes('".priority":')))
  if (says) writer.put(getPackedText)
  else writeBranch(writer, row.unpack(), form)
}

const writeNode = (writer: PieceWriter, node: Node | null, form: JsonForm): void => {
  if (node === null) writer.put('null')
  else if (node instanceof PackedBranch) writePacked(writer, node, form)
  else if (node instanceof Branch) writeBranch(writer, node, form)
  else if (!(node instanceof PrioritizedLeaf)) writer.put(scalarToJson(node))
  else if (form !== 'export') writer.put(scalarToJson(node.value))
  else {
    writer.put(`{".value":${scalarToJson(node.value)},".priority":${scalarToJson(node.priority)}}`)
  }
}

/** Writes a node as JSON text in pieces of about ten thousand characters. */
export const writeJson = (
  node: Node | null,
  form: JsonForm,
  sink: (piece: string) => void,
): void => {
  const writer = new PieceWriter(sink)
  writeNode(writer, node, form)
  writer.flush()
}

/** Returns a node as JSON text. */
export const nodeToJsonText = (node: Node | null, form: JsonForm): string => {
  const pieces: string[] = []
  writeJson(node, form, (piece) => pieces.push(piece))
  if (pieces.length <= 1) return pieces[0] ?? ''
  // For V8, joining strings that were concatenated from many parts costs three times as much as
  // joining their bytes.
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
}

/** Sets a property, including one named `__proto__`. */
export const setOwnProperty = (
  object: Record<string, unknown>,
  key: string,
  value: unknown,
): void => {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** Returns a node as a JSON value without priorities; every branch becomes an object. */
export const nodeToJson = (node: Node | null): unknown => {
  if (node instanceof PrioritizedLeaf) return node.value
  if (!(node instanceof Branch)) return node
  const object: Record<string, unknown> = {}
  node.forEach((key, child) => setOwnProperty(object, key, nodeToJson(child)))
  return object
}
