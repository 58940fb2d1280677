import type { View } from '../rules/view'
import { nodeToJson } from './nodeJson'
import { Branch, getChild, getPriority, getScalar } from './node'
import type { Node, Priority, Scalar } from './node'

/** A place of the tree as the rules see it. */
class NodeView implements View {
  constructor(private readonly node: Node | null) {}

  get exists(): boolean {
    return this.node !== null
  }

  child(key: string): View {
    const child = getChild(this.node, key)
    return child === null ? MISSING_VIEW : new NodeView(child)
  }

  value(): Scalar | null {
    return getScalar(this.node)
  }

  hasChildren(): boolean {
    return this.node instanceof Branch
  }

  keys(): Iterable<string> {
    return this.node instanceof Branch ? this.node.keys() : []
  }

  priority(): Priority | null {
    return getPriority(this.node)
  }

  toJSON(): unknown {
    return nodeToJson(this.node)
  }
}

const MISSING_VIEW: View = new NodeView(null)

/** Returns the rules' view of a node, existing or not. */
export const createView = (node: Node | null): View =>
  node === null ? MISSING_VIEW : new NodeView(node)
