import { jsonText } from './tree/json'
import type { Node } from './tree/node'
import type { Path } from './tree/path'

/** New values for one place (`put`) or for several below it (`merge`), on their way to listeners. */
export class Push {
  private text: string | undefined
  private bytes: Buffer | undefined

  private constructor(
    readonly kind: 'put' | 'merge',
    readonly path: Path,
    /** JSON text in export format. */
    readonly body: string,
  ) {}

  static put(path: Path, body: string): Push {
    return new Push('put', path, body)
  }

  /** `puts` are paths below `path`, null for what is no longer there. */
  static merge(path: Path, puts: readonly (readonly [Path, Node | null])[]): Push {
    const parts = puts.map(
      ([below, node]) => `${JSON.stringify(below.join('/'))}:${jsonText(node, 'export')}`,
    )
    return new Push('merge', path, `{${parts.join(',')}}`)
  }

  private head(): string {
    return (this.text ??= `{"t":"d","d":{"a":"${this.kind === 'put' ? 'd' : 'm'}","b":{"p":${JSON.stringify(this.path.join('/'))},"d":${this.body}`)
  }

  /** The message of the wire protocol; made once for all listeners without a tag. */
  frame(tag: number | null): string | Buffer {
    if (tag !== null) return `${this.head()},"t":${tag}}}}`
    return (this.bytes ??= Buffer.from(`${this.head()}}}}`))
  }
}
