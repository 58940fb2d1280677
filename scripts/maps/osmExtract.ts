import { deflateSync } from 'node:zlib'
import { PbfWriter } from 'pbf'
import type { Tags } from './osmFeature'

export interface OsmParts {
  nodes: { id: number; lat: number; lon: number; tags?: Tags }[]
  ways: { id: number; refs: number[]; tags?: Tags }[]
  relations?: { id: number; members: { ref: number; role: string }[]; tags: Tags }[]
}

/** The format allows 16 MB per block; this many objects stay far below that. */
const OBJECTS_PER_BLOCK = 8_000

const encodeMessage = (write: (pbf: PbfWriter) => void): Buffer => {
  const pbf = new PbfWriter()
  write(pbf)
  return Buffer.from(pbf.finish())
}

const encodeBlob = (type: string, content: Buffer): Buffer => {
  const body = encodeMessage((pbf) => {
    pbf.writeVarintField(2, content.length)
    pbf.writeBytesField(3, deflateSync(content))
  })
  const head = encodeMessage((pbf) => {
    pbf.writeStringField(1, type)
    pbf.writeVarintField(3, body.length)
  })
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, body])
}

const toDeltas = (values: readonly number[]) =>
  values.map((value, i) => value - (values[i - 1] ?? 0))
const toNanodegrees = (degrees: number) => Math.round(degrees * 1e7)

const encodeBlock = (
  write: (group: PbfWriter, text: (value: string) => number) => void,
): Buffer => {
  const strings = new Map([['', 0]])
  const text = (value: string) => {
    if (!strings.has(value)) strings.set(value, strings.size)
    return strings.get(value)!
  }
  const group = encodeMessage((pbf) => write(pbf, text))
  return encodeBlob(
    'OSMData',
    encodeMessage((pbf) => {
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

const splitIntoChunks = <T>(items: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(items.length / OBJECTS_PER_BLOCK) }, (_, i) =>
    items.slice(i * OBJECTS_PER_BLOCK, (i + 1) * OBJECTS_PER_BLOCK),
  )

const encodeNodes = (part: OsmParts['nodes']) =>
  encodeBlock((group, text) =>
    group.writeMessage(
      2,
      (_, pbf: PbfWriter) => {
        pbf.writePackedSVarint(1, toDeltas(part.map(({ id }) => id)))
        pbf.writePackedSVarint(8, toDeltas(part.map(({ lat }) => toNanodegrees(lat))))
        pbf.writePackedSVarint(9, toDeltas(part.map(({ lon }) => toNanodegrees(lon))))
        pbf.writePackedVarint(
          10,
          part.flatMap(({ tags = {} }) => [...Object.entries(tags).flat().map(text), 0]),
        )
      },
      null,
    ),
  )

const encodeWays = (part: OsmParts['ways']) =>
  encodeBlock((group, text) => {
    for (const { id, refs, tags = {} } of part) {
      group.writeMessage(
        3,
        (_, pbf: PbfWriter) => {
          pbf.writeVarintField(1, id)
          pbf.writePackedVarint(2, Object.keys(tags).map(text))
          pbf.writePackedVarint(3, Object.values(tags).map(text))
          pbf.writePackedSVarint(8, toDeltas(refs))
        },
        null,
      )
    }
  })

const encodeRelations = (part: NonNullable<OsmParts['relations']>) =>
  encodeBlock((group, text) => {
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
          pbf.writePackedSVarint(9, toDeltas(members.map(({ ref }) => ref)))
          pbf.writePackedVarint(
            10,
            members.map(() => 1),
          )
        },
        null,
      )
    }
  })

/**
 * Returns the bytes of an OpenStreetMap extract (`.osm.pbf`), for import tests and for an
 * independent router whose distances we compare with ours. Ids should ascend.
 */
export const encodeOsmExtract = ({ nodes, ways, relations = [] }: OsmParts): Buffer => {
  const header = encodeMessage((pbf) => {
    pbf.writeStringField(4, 'OsmSchema-V0.6')
    pbf.writeStringField(4, 'DenseNodes')
    pbf.writeVarintField(32, 1_700_000_000)
  })
  return Buffer.concat([
    encodeBlob('OSMHeader', header),
    ...splitIntoChunks(nodes).map(encodeNodes),
    ...splitIntoChunks(ways).map(encodeWays),
    ...splitIntoChunks(relations).map(encodeRelations),
  ])
}
