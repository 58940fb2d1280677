import { nodeToJsonText } from './tree/nodeJson'
import type { Node } from './tree/node'
import type { Path } from './tree/path'

/** New values for one place (`put`) or for several below it (`merge`), sent to listeners. */
export class DataUpdate {
  private text: string | undefined
  private bytes: Buffer | undefined

  private constructor(
    readonly kind: 'put' | 'merge',
    readonly path: Path,
    /** JSON text in export format. */
    readonly body: string,
  ) {}

  static put(path: Path, body: string): DataUpdate {
    return new DataUpdate('put', path, body)
  }

  /** Creates a merge. `puts` are paths below `path`, with null for a removed value. */
  static merge(path: Path, puts: readonly (readonly [Path, Node | null])[]): DataUpdate {
    const parts = puts.map(
      ([below, node]) => `${JSON.stringify(below.join('/'))}:${nodeToJsonText(node, 'export')}`,
    )
    return new DataUpdate('merge', path, `{${parts.join(',')}}`)
  }

  private prefix(): string {
    return (this.text ??= `{"t":"d","d":{"a":"${this.kind === 'put' ? 'd' : 'm'}","b":{"p":${JSON.stringify(this.path.join('/'))},"d":${this.body}`)
  }

  /** Returns the message of the wire protocol, shared by all listeners without a tag. */
  toFrame(tag: number | null): string | Buffer {
    if (tag !== null) return `${this.prefix()},"t":${tag}}}}`
    return (this.bytes ??= Buffer.from(`${this.prefix()}}}}`))
  }
}
