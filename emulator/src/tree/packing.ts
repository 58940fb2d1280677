import { build } from './build'
import { jsonText } from './json'
import { PackedBranch } from './node'
import type { Branch } from './node'

/** Lets the rows of large collections be kept as text while nobody looks at them. */
export const packRows = (): void =>
  PackedBranch.packBy({
    // A string that was put together from many is not one text yet; through a buffer it is.
    pack: (branch) => Buffer.from(jsonText(branch, 'export')).toString(),
    unpack: (text) => build(JSON.parse(text), { now: 0, existing: null, depth: 0 }) as Branch,
  })
