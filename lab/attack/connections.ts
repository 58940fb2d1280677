import { WebSocket } from 'ws'
import type { Random } from '~/domain/data/seededRandom'
import { NAMESPACE } from '~/scripts/local/localDatabase'
import { HOST } from '~/scripts/local/ports'
import type { Attacker } from './attackers'
import { pickHostileText, toWellFormed } from './hostileValues'
import { sendRequest, type HttpResponse, type HttpRequest } from './httpRequest'

/** A connection that speaks the database's wire protocol. */
export interface Connection {
  /** Sends a message and resolves when the server has processed all messages sent so far. */
  sendMessage(text: string | Buffer): Promise<void>
  isOpen: boolean
  close(): void
  /**
   * The code with which the server closed the connection; null when the transport has no close
   * codes.
   */
  closeCode: number | null
}

const CLOSED_BY_US = 1000
const FIRST_REQUEST_NUMBER = 1_000_000
/**
 * Returns a request without effect. The server processes messages in order, so its response shows
 * that it has processed all earlier ones.
 */
const createMarkerMessage = (requestNumber: number) =>
  `{"t":"d","d":{"r":${requestNumber},"a":"s","b":{"c":{}}}}`
const createAuthMessage = (token: string) =>
  `{"t":"d","d":{"r":1,"a":"auth","b":{"cred":${JSON.stringify(token)}}}}`

/** Opens a websocket as an attacker. */
export const openSocket = (port: number, { token }: Attacker): Promise<Connection> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://${HOST}:${port}/.ws?v=5&ns=${NAMESPACE}`)
    let requestNumber = FIRST_REQUEST_NUMBER
    let settle: (() => void) | undefined
    const line: Connection = {
      isOpen: true,
      closeCode: null,
      close: () => socket.close(CLOSED_BY_US),
      sendMessage: (text) =>
        new Promise<void>((onSent) => {
          if (!line.isOpen) {
            onSent()
            return
          }
          settle = onSent
          socket.send(text)
          requestNumber += 1
          socket.send(createMarkerMessage(requestNumber))
        }),
    }
    const over = (code: number | null) => {
      line.isOpen = false
      line.closeCode ??= code
      settle?.()
      resolve(line)
    }
    socket.on('error', () => over(null))
    socket.on('close', (code: number) => over(code))
    socket.on('message', (message: Buffer) => {
      if (message.includes(`"r":${requestNumber},`)) settle?.()
    })
    socket.once('open', () => {
      if (token !== null) socket.send(createAuthMessage(token))
      resolve(line)
    })
  })

const PIECE_CHARACTERS = 1500
const CONCURRENT_PIECES = 3
const FAR_PIECE_NUMBER = 1e6

/** Splits a message into the numbered pieces that long polling sends. */
const splitMessage = (text: string | Buffer): string[] => {
  const encoded = Buffer.from(text).toString('base64url')
  return encoded === '' ? [''] : (encoded.match(new RegExp(`.{1,${PIECE_CHARACTERS}}`, 'g')) ?? [])
}

/**
 * Returns pieces that no client sends: with invalid, used or far too high numbers, or of messages
 * that never end.
 */
const createHostilePieces = (random: Random): string => {
  const number = () =>
    random.pick([
      '-1',
      '0',
      'NaN',
      '1e9',
      '0.5',
      '',
      String(FAR_PIECE_NUMBER + random.integer(0, 1e6)),
    ])
  return Array.from({ length: random.pick([1, 3, 300]) }, (_, n) => {
    const text = encodeURIComponent(toWellFormed(pickHostileText(random).slice(0, 20)))
    return `&seg${n}=${number()}&ts${n}=${number()}&d${n}=${text}`
  }).join('')
}

/** Starts long polling as an attacker. `judge` receives every response. */
export const openLongPoll = async (
  port: number,
  { token }: Attacker,
  random: Random,
  judge: (requestNumber: HttpRequest, response: HttpResponse) => void,
): Promise<Connection> => {
  let [lastRequestNumber, piece, serial, underWay] = [FIRST_REQUEST_NUMBER, 0, 0, 0]
  let own = ''
  let settle: (() => void) | undefined
  const poll = async (params: string): Promise<string> => {
    serial += 1
    underWay += 1
    const path = `/.lp?ns=${NAMESPACE}&ser=${serial}${own}${params}`
    const request = { port, method: 'GET', path }
    const response = await sendRequest(request)
    underWay -= 1
    judge(request, response)
    if (response.status !== 200 || response.text.includes('("close"')) line.isOpen = false
    if (!line.isOpen || response.text.includes(`"r":${lastRequestNumber},`)) {
      settle?.()
      settle = undefined
    }
    // The server holds a poll until it has something to send, so keep one open while waiting for a
    // response.
    if (settle && underWay === 0) void poll('')
    return response.text
  }
  const line: Connection = {
    isOpen: true,
    closeCode: null,
    close: () => void poll('&disconn=t'),
    sendMessage: (text) =>
      new Promise((resolve) => {
        if (!line.isOpen) {
          resolve()
          return
        }
        settle = resolve
        lastRequestNumber += 1
        // Before the first message, the server would take hostile pieces as the start of that
        // message.
        const isBegun = piece > 0
        const pieces = [
          splitMessage(text),
          splitMessage(createMarkerMessage(lastRequestNumber)),
        ].flatMap((all) => all.map((data) => ({ number: piece++, of: all.length, data })))
        const sentPieces = random.chance(0.2) ? pieces.toReversed() : pieces
        if (isBegun && random.chance(0.1)) void poll(createHostilePieces(random))
        while (sentPieces.length > 0) {
          const params = sentPieces
            .splice(0, CONCURRENT_PIECES)
            .map(({ number, of, data }, n) => `&seg${n}=${number}&ts${n}=${of}&d${n}=${data}`)
          void poll(params.join(''))
        }
      }),
  }
  const begun = await poll('&start=t&v=5&cb=1')
  const [, id, password] = /\("start","([^"]*)","([^"]*)"\)/.exec(begun) ?? []
  line.isOpen &&= id !== undefined
  own = `&id=${id}&pw=${password}`
  if (token !== null) await line.sendMessage(createAuthMessage(token))
  return line
}
