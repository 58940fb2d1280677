import type { View } from '../rules/view'
import { jsonOf } from './json'
import { Branch, childOf, priorityOf, scalarOf } from './node'
import type { Node, Priority, Scalar } from './node'

/** A place of the tree as the rules see it. */
class NodeView implements View {
  constructor(private readonly node: Node | null) {}

  get exists(): boolean {
    return this.node !== null
  }

  child(key: string): View {
    const child = childOf(this.node, key)
    return child === null ? NOTHING : new NodeView(child)
  }

  value(): Scalar | null {
    return scalarOf(this.node)
  }

  hasChildren(): boolean {
    return this.node instanceof Branch
  }

  keys(): Iterable<string> {
    return this.node instanceof Branch ? this.node.keys() : []
  }

  priority(): Priority | null {
    return priorityOf(this.node)
  }

  toJSON(): unknown {
    return jsonOf(this.node)
  }
}

const NOTHING: View = new NodeView(null)

/** The rules' view of a node, existing or not. */
export const viewOf = (node: Node | null): View => (node === null ? NOTHING : new NodeView(node))
