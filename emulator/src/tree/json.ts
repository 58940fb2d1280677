import { Branch, PackedBranch, PrioritizedLeaf, SmallBranch } from './node'
import type { Node, Scalar } from './node'

/**
 * How a node is written: `export` with priorities; `plain` without; `arrays` without, and with
 * arrays where most integer keys from 0 on are there, as REST answers.
 */
export type Form = 'export' | 'plain' | 'arrays'

const PIECE = 1 << 16

/** Collects text and hands it on in pieces, so that a large answer never is one string. */
class Writer {
  private text = ''

  constructor(private readonly sink: (piece: string) => void) {}

  put(text: string): void {
    this.text += text
    if (this.text.length > PIECE) this.flush()
  }

  flush(): void {
    if (this.text !== '') this.sink(this.text)
    this.text = ''
  }
}

const scalarText = (value: Scalar): string =>
  typeof value === 'string' ? JSON.stringify(value) : String(value)

const INDEX = /^(0|[1-9]\d{0,8})$/

const asArray = (branch: Branch): (Node | null)[] | null => {
  let last = -1
  for (const key of branch.keys()) {
    // Integer keys come first in the order, so the first other key settles it.
    if (!INDEX.test(key)) return null
    last = Math.max(last, Number(key))
  }
  if (last >= 2 * branch.size) return null
  const items = new Array<Node | null>(last + 1).fill(null)
  branch.forEach((key, child) => {
    items[Number(key)] = child
  })
  return items
}

const writeBranch = (writer: Writer, branch: Branch, form: Form): void => {
  const items = form === 'arrays' ? asArray(branch) : null
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
    writer.put(`{".priority":${scalarText(branch.priority)}`)
    before = ','
  }
  if (branch instanceof SmallBranch) {
    const quoted = branch.shape.quoted()
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

const writePacked = (writer: Writer, row: PackedBranch, form: Form): void => {
  const { packed } = row
  const says =
    packed !== null && (form === 'export' || (form === 'plain' && !packed.includes('".priority":')))
  if (says) writer.put(packed)
  else writeBranch(writer, row.open(), form)
}

const writeNode = (writer: Writer, node: Node | null, form: Form): void => {
  if (node === null) writer.put('null')
  else if (node instanceof PackedBranch) writePacked(writer, node, form)
  else if (node instanceof Branch) writeBranch(writer, node, form)
  else if (!(node instanceof PrioritizedLeaf)) writer.put(scalarText(node))
  else if (form !== 'export') writer.put(scalarText(node.value))
  else {
    writer.put(`{".value":${scalarText(node.value)},".priority":${scalarText(node.priority)}}`)
  }
}

/** Writes a node as JSON text in pieces of some ten thousand characters. */
export const writeJson = (node: Node | null, form: Form, sink: (piece: string) => void): void => {
  const writer = new Writer(sink)
  writeNode(writer, node, form)
  writer.flush()
}

/** A node as JSON text. */
export const jsonText = (node: Node | null, form: Form): string => {
  const pieces: string[] = []
  writeJson(node, form, (piece) => pieces.push(piece))
  if (pieces.length <= 1) return pieces[0] ?? ''
  // Joining strings that were put together from many costs V8 three times as much as their bytes.
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece))).toString()
}

/** Puts a property that may be called `__proto__`. */
export const putOwn = (object: Record<string, unknown>, key: string, value: unknown): void => {
  if (key !== '__proto__') object[key] = value
  else
    Object.defineProperty(object, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
}

/** A node as a JSON value without priorities; every branch an object. */
export const jsonOf = (node: Node | null): unknown => {
  if (node instanceof PrioritizedLeaf) return node.value
  if (!(node instanceof Branch)) return node
  const object: Record<string, unknown> = {}
  node.forEach((key, child) => putOwn(object, key, jsonOf(child)))
  return object
}
