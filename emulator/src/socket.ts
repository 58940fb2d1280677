import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { Assembler, FrameError } from './frames'
import { log, reason } from './log'
import type { Frame, Transport } from './session'

const MAX_FRAME = 64 * 1024 * 1024
/** A reader this far behind with what it was sent before is let go, or it would fill the memory. */
const MAX_BACKLOG = 64 * 1024 * 1024

const PROTOCOL_ERROR = 1002
const UNSUPPORTED = 1003
const INTERNAL_ERROR = 1011

class SocketTransport implements Transport {
  constructor(
    private readonly socket: WebSocket,
    private readonly duplex: Duplex,
  ) {}

  send(frames: readonly Frame[]): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    if (this.socket.bufferedAmount > MAX_BACKLOG) {
      this.socket.terminate()
      return
    }
    // Corked, the whole batch reaches the kernel in one write.
    this.duplex.cork()
    for (const frame of frames) this.socket.send(frame, { binary: false })
    this.duplex.uncork()
  }

  close(): void {
    this.socket.close(PROTOCOL_ERROR)
  }
}

/** Who takes in a connection's messages. */
export interface Receiver {
  receive(text: string): void
  /** The connection is over. */
  end(): void
}

/** Opens the session of a new connection, or finds the one it moves over from long polling. */
type OpenSession = (request: IncomingMessage, transport: Transport) => Receiver | null

/** The websocket end of the protocol. */
export class Sockets {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME })

  constructor(private readonly open: OpenSession) {}

  /** Takes over an HTTP connection that asked for a websocket. */
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    this.server.handleUpgrade(request, duplex, head, (socket) =>
      this.serve(socket, request, duplex),
    )
  }

  close(): void {
    for (const socket of this.server.clients) socket.terminate()
    this.server.close()
  }

  private serve(socket: WebSocket, request: IncomingMessage, duplex: Duplex): void {
    const transport = new SocketTransport(socket, duplex)
    const assembler = new Assembler()
    socket.on('error', () => socket.terminate())
    const session = this.open(request, transport)
    if (session === null) {
      socket.close(PROTOCOL_ERROR)
      return
    }
    const guarded = (work: () => void): void => {
      try {
        work()
      } catch (error) {
        if (!(error instanceof FrameError)) log(`connection dropped: ${reason(error)}`)
        socket.close(error instanceof FrameError ? PROTOCOL_ERROR : INTERNAL_ERROR)
      }
    }
    const end = () => guarded(() => session.end())

    socket.on('message', (payload: Buffer, binary: boolean) => {
      if (binary) {
        socket.close(UNSUPPORTED)
        return
      }
      guarded(() => {
        const message = assembler.add(payload.toString())
        if (message !== null) session.receive(message)
      })
    })
    // The session ends at the close frame, not when the TCP connection is torn down: a client that
    // went offline expects its last writes to be there at once. `ws` has no event for that moment,
    // but it has handled a chunk by the time this later listener sees it.
    duplex.on('data', () => {
      if (socket.readyState !== socket.OPEN) end()
    })
    socket.on('close', end)
  }
}
