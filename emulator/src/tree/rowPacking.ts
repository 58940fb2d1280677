import { buildNode } from './nodeBuilder'
import { nodeToJsonText } from './nodeJson'
import { PackedBranch } from './node'
import type { Branch } from './node'

/** Stores the unused rows of large collections as text. */
export const enableRowPacking = (): void =>
  PackedBranch.enablePacking({
    // A concatenated string is not stored as one text; a conversion through a buffer makes it one.
    pack: (branch) => Buffer.from(nodeToJsonText(branch, 'export')).toString(),
    unpack: (text) => buildNode(JSON.parse(text), { now: 0, existing: null, depth: 0 }) as Branch,
  })
