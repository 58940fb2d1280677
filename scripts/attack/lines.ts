import { WebSocket } from 'ws'
import type { Random } from '~/domain/testing/random'
import { NAMESPACE } from '../localDatabase'
import { HOST } from '../ports'
import type { Attacker } from './attackers'
import { hostileText, wellFormed } from './hostile'
import { send, type Answer, type Asked } from './requests'

/** One connection that speaks the database's wire protocol. */
export interface Line {
  /** Sends a message and resolves when everything so far has been dealt with. */
  say(text: string | Buffer): Promise<void>
  open: boolean
  close(): void
  /** The code it was closed with by the other side; none where closing has no code. */
  code: number | null
}

const CLOSED_BY_US = 1000
const FIRST_ASKED = 1_000_000
/** Asks for nothing: messages are dealt with in order, so its answer says that those before it are over. */
const mark = (asked: number) => `{"t":"d","d":{"r":${asked},"a":"s","b":{"c":{}}}}`
const greeting = (token: string) =>
  `{"t":"d","d":{"r":1,"a":"auth","b":{"cred":${JSON.stringify(token)}}}}`

/** Opens a websocket as somebody. */
export const openSocket = (port: number, { token }: Attacker): Promise<Line> =>
  new Promise((resolve) => {
    const socket = new WebSocket(`ws://${HOST}:${port}/.ws?v=5&ns=${NAMESPACE}`)
    let asked = FIRST_ASKED
    let settle: (() => void) | undefined
    const line: Line = {
      open: true,
      code: null,
      close: () => socket.close(CLOSED_BY_US),
      say: (text) =>
        new Promise<void>((done) => {
          if (!line.open) {
            done()
            return
          }
          settle = done
          socket.send(text)
          asked += 1
          socket.send(mark(asked))
        }),
    }
    const over = (code: number | null) => {
      line.open = false
      line.code ??= code
      settle?.()
      resolve(line)
    }
    socket.on('error', () => over(null))
    socket.on('close', (code: number) => over(code))
    socket.on('message', (message: Buffer) => {
      if (message.includes(`"r":${asked},`)) settle?.()
    })
    socket.once('open', () => {
      if (token !== null) socket.send(greeting(token))
      resolve(line)
    })
  })

const PIECE = 1500
const AT_ONCE = 3
const NOT_YET = 1e6

/** A message as a poll carries it: in pieces, numbered. */
const piecesOf = (text: string | Buffer): string[] => {
  const encoded = Buffer.from(text).toString('base64url')
  return encoded === '' ? [''] : (encoded.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [])
}

/** Pieces no client sends: with numbers that are none, that are over or far ahead, of messages without an end. */
const hostilePieces = (random: Random): string => {
  const number = () =>
    random.pick(['-1', '0', 'NaN', '1e9', '0.5', '', String(NOT_YET + random.whole(0, 1e6))])
  return Array.from({ length: random.pick([1, 3, 300]) }, (_, n) => {
    const text = encodeURIComponent(wellFormed(hostileText(random).slice(0, 20)))
    return `&seg${n}=${number()}&ts${n}=${number()}&d${n}=${text}`
  }).join('')
}

/** Begins long polling as somebody. `judge` sees every answer. */
export const openPoll = async (
  port: number,
  { token }: Attacker,
  random: Random,
  judge: (asked: Asked, answer: Answer) => void,
): Promise<Line> => {
  let [asked, piece, serial, underWay] = [FIRST_ASKED, 0, 0, 0]
  let own = ''
  let settle: (() => void) | undefined
  const poll = async (params: string): Promise<string> => {
    serial += 1
    underWay += 1
    const path = `/.lp?ns=${NAMESPACE}&ser=${serial}${own}${params}`
    const request = { port, method: 'GET', path }
    const answer = await send(request)
    underWay -= 1
    judge(request, answer)
    if (answer.status !== 200 || answer.text.includes('("close"')) line.open = false
    if (!line.open || answer.text.includes(`"r":${asked},`)) {
      settle?.()
      settle = undefined
    }
    // A poll is held until there is something to say, so one is always under way while an answer is waited for.
    if (settle && underWay === 0) void poll('')
    return answer.text
  }
  const line: Line = {
    open: true,
    code: null,
    close: () => void poll('&disconn=t'),
    say: (text) =>
      new Promise((done) => {
        if (!line.open) {
          done()
          return
        }
        settle = done
        asked += 1
        // Before anything was said they would be the beginning of what is.
        const isBegun = piece > 0
        const pieces = [piecesOf(text), piecesOf(mark(asked))].flatMap((all) =>
          all.map((data) => ({ number: piece++, of: all.length, data })),
        )
        const told = random.chance(0.2) ? pieces.toReversed() : pieces
        if (isBegun && random.chance(0.1)) void poll(hostilePieces(random))
        while (told.length > 0) {
          const params = told
            .splice(0, AT_ONCE)
            .map(({ number, of, data }, n) => `&seg${n}=${number}&ts${n}=${of}&d${n}=${data}`)
          void poll(params.join(''))
        }
      }),
  }
  const begun = await poll('&start=t&v=5&cb=1')
  const [, id, password] = /\("start","([^"]*)","([^"]*)"\)/.exec(begun) ?? []
  line.open &&= id !== undefined
  own = `&id=${id}&pw=${password}`
  if (token !== null) await line.say(greeting(token))
  return line
}
