import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import { MessageAssembler, FrameError } from './messageAssembler'
import { log, errorMessage } from './log'
import type { Frame, Transport } from './clientSession'

const MAX_FRAME_BYTES = 64 * 1024 * 1024
/** The server disconnects a client with more undelivered bytes than this, to limit memory. */
const MAX_BACKLOG_BYTES = 64 * 1024 * 1024

const PROTOCOL_ERROR = 1002
const UNSUPPORTED = 1003
const INTERNAL_ERROR = 1011

class WebSocketTransport implements Transport {
  constructor(
    private readonly socket: WebSocket,
    private readonly duplex: Duplex,
  ) {}

  send(frames: readonly Frame[]): void {
    if (this.socket.readyState !== this.socket.OPEN) return
    if (this.socket.bufferedAmount > MAX_BACKLOG_BYTES) {
      this.socket.terminate()
      return
    }
    // Corking sends the whole batch to the kernel in one write.
    this.duplex.cork()
    for (const frame of frames) this.socket.send(frame, { binary: false })
    this.duplex.uncork()
  }

  close(): void {
    this.socket.close(PROTOCOL_ERROR)
  }
}

/** The receiver of a connection's messages. */
export interface MessageReceiver {
  receive(text: string): void
  /** Called when the connection ends. */
  end(): void
}

/** Opens the session of a new connection, or finds the session that moves from long polling. */
type OpenSession = (request: IncomingMessage, transport: Transport) => MessageReceiver | null

/** The websocket endpoint of the protocol. */
export class WebSocketEndpoint {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES })

  constructor(private readonly open: OpenSession) {}

  /** Upgrades an HTTP connection to a websocket. */
  upgrade(request: IncomingMessage, duplex: Duplex, head: Buffer): void {
    this.server.handleUpgrade(request, duplex, head, (socket) =>
      this.handleConnection(socket, request, duplex),
    )
  }

  close(): void {
    for (const socket of this.server.clients) socket.terminate()
    this.server.close()
  }

  private handleConnection(socket: WebSocket, request: IncomingMessage, duplex: Duplex): void {
    const transport = new WebSocketTransport(socket, duplex)
    const assembler = new MessageAssembler()
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
        if (!(error instanceof FrameError)) log(`connection dropped: ${errorMessage(error)}`)
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
    // Ends the session at the close frame, before the TCP connection closes, because a client that
    // goes offline expects its disconnect writes immediately. `ws` has no event for this, but it
    // handles each chunk before this later listener runs.
    duplex.on('data', () => {
      if (socket.readyState !== socket.OPEN) end()
    })
    socket.on('close', end)
  }
}
