import { deflateSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import type { Tags } from './feature'

export interface OsmParts {
  nodes: { id: number; lat: number; lon: number; tags?: Tags }[]
  ways: { id: number; refs: number[]; tags?: Tags }[]
  relations?: { id: number; members: { ref: number; role: string }[]; tags: Tags }[]
}

/** The format allows 16 MB a block; this many objects stay far below. */
const PER_BLOCK = 8_000

const message = (write: (pbf: PbfWriter) => void): Buffer => {
  const pbf = new PbfWriter()
  write(pbf)
  return Buffer.from(pbf.finish())
}

const blob = (type: string, content: Buffer): Buffer => {
  const body = message((pbf) => {
    pbf.writeVarintField(2, content.length)
    pbf.writeBytesField(3, deflateSync(content))
  })
  const head = message((pbf) => {
    pbf.writeStringField(1, type)
    pbf.writeVarintField(3, body.length)
  })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

const deltas = (values: readonly number[]) => values.map((value, i) => value - (values[i - 1] ?? 0))
const nano = (degrees: number) => Math.round(degrees * 1e7)

const block = (write: (group: PbfWriter, text: (value: string) => number) => void): Buffer => {
  const strings = new Map([['', 0]])
  const text = (value: string) => {
    if (!strings.has(value)) strings.set(value, strings.size)
    return strings.get(value)!
  }
  const group = message((pbf) => write(pbf, text))
  return blob(
    'OSMData',
    message((pbf) => {
      pbf.writeMessage(
        1,
        (_, table: PbfWriter) => {
          for (const value of strings.keys()) table.writeBytesField(1, Buffer.from(value))
        },
        null,
      )
      pbf.writeBytesField(2, group)
    }),
  )
}

const chunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / PER_BLOCK) }, (_, i) =>
    items.slice(i * PER_BLOCK, (i + 1) * PER_BLOCK),
  )

/**
 * The bytes of an OpenStreetMap extract (`.osm.pbf`): what tests import, and what an independent
 * router is given to compare its distances with ours. Ids should ascend.
 */
export const osmExtract = ({ nodes, ways, relations = [] }: OsmParts): Buffer => {
  const header = message((pbf) => {
    pbf.writeStringField(4, 'OsmSchema-V0.6')
    pbf.writeStringField(4, 'DenseNodes')
    pbf.writeVarintField(32, 1_700_000_000)
  })
  const dense = (part: typeof nodes) =>
    block((group, text) =>
      group.writeMessage(
        2,
        (_, pbf: PbfWriter) => {
          pbf.writePackedSVarint(1, deltas(part.map(({ id }) => id)))
          pbf.writePackedSVarint(8, deltas(part.map(({ lat }) => nano(lat))))
          pbf.writePackedSVarint(9, deltas(part.map(({ lon }) => nano(lon))))
          pbf.writePackedVarint(
            10,
            part.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(text), 0]),
          )
        },
        null,
      ),
    )
  const lines = (part: typeof ways) =>
    block((group, text) => {
      for (const { id, refs, tags = {} } of part) {
        group.writeMessage(
          3,
          (_, pbf: PbfWriter) => {
            pbf.writeVarintField(1, id)
            pbf.writePackedVarint(2, Object.keys(tags).map(text))
            pbf.writePackedVarint(3, Object.values(tags).map(text))
            pbf.writePackedSVarint(8, deltas(refs))
          },
          null,
        )
      }
    })
  const groups = (part: typeof relations) =>
    block((group, text) => {
      for (const { id, members, tags } of part) {
        group.writeMessage(
          4,
          (_, pbf: PbfWriter) => {
            pbf.writeVarintField(1, id)
            pbf.writePackedVarint(2, Object.keys(tags).map(text))
            pbf.writePackedVarint(3, Object.values(tags).map(text))
            pbf.writePackedVarint(
              8,
              members.map(({ role }) => text(role)),
            )
            pbf.writePackedSVarint(9, deltas(members.map(({ ref }) => ref)))
            pbf.writePackedVarint(
              10,
              members.map(() => 1),
            )
          },
          null,
        )
      }
    })
  return Buffer.concat([
    blob('OSMHeader', header),
    ...chunks(nodes).map(dense),
    ...chunks(ways).map(lines),
    ...chunks(relations).map(groups),
  ])
}
