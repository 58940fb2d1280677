import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { startDatabase } from './server'
import type { RunningDatabase } from './server'

let server: RunningDatabase
beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

type Script = (parent: { window: Record<string, (...args: unknown[]) => void> }) => void

/** A page that polls and runs the received scripts, like a browser. */
class Page {
  readonly commands: unknown[][] = []
  private readonly packets: unknown[][] = []
  private serial = 1
  private segments = 0
  id = ''
  private password = ''

  get messages(): unknown[] {
    return this.packets.flat()
  }

  private async run(query: string): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${server.port}/.lp?ns=lp&${query}`)
    // The response is a script, which a browser would run.
    // oxlint-disable-next-line typescript/no-implied-eval
    const script = new Function('parent', await response.text()) as Script
    script({
      window: {
        pLPCommandcb1: (...args) => this.commands.push(args),
        pRTLPCBcb1: (number, messages) => {
          this.packets[number as number] = messages as unknown[]
        },
      },
    })
  }

  async start(): Promise<void> {
    await this.run('start=t&ser=1&cb=cb1&v=5')
    const [, id, password] = this.commands[0] ?? []
    this.id = String(id)
    this.password = String(password)
  }

  poll(data = ''): Promise<void> {
    return this.run(`id=${this.id}&pw=${this.password}&ser=${this.serial++}${data}`)
  }

  /** Sends a message in parts of `size` characters, the last part first. */
  async say(message: unknown, size = 1000): Promise<void> {
    const text = Buffer.from(JSON.stringify(message)).toString('base64url')
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    const first = this.segments
    this.segments += pieces.length
    const polls = pieces
      .map((piece, i) => `&seg0=${first + i}&ts0=${pieces.length}&d0=${piece}`)
      .toReversed()
    // The server ends a poll when the next one arrives, so the test does not wait for them.
    for (const data of polls) void this.poll(data)
    await expect.poll(() => this.messages.length).toBeGreaterThan(0)
  }

  leave(): Promise<unknown> {
    return fetch(
      `http://127.0.0.1:${server.port}/.lp?ns=lp&disconn=t&id=${this.id}&pw=${this.password}`,
      { method: 'POST' },
    )
  }
}

const parseRequest = (r: number, a: string, b: unknown) => ({ t: 'd', d: { r, a, b } })
const answer = (r: number) =>
  expect.objectContaining({
    d: { r, b: expect.objectContaining({ s: 'ok' }) as unknown },
  }) as unknown

test('a browser that polls gets a greeting, responses and changes', async () => {
  const page = new Page()
  await page.start()
  expect(page.commands).toEqual([['start', page.id, expect.any(String)]])
  expect(page.messages[0]).toMatchObject({ t: 'c', d: { t: 'h', d: { v: '5', s: page.id } } })
  await page.say(parseRequest(1, 'q', { p: '/a', h: '' }))
  await expect.poll(() => page.messages).toContainEqual(answer(1))
  await page.say(parseRequest(2, 'p', { p: '/a', d: { long: 'ñ'.repeat(3000) } }))
  await expect.poll(() => page.messages).toContainEqual(answer(2))
  expect(page.messages).toContainEqual({
    t: 'd',
    d: { a: 'd', b: { p: 'a', d: { long: 'ñ'.repeat(3000) } } },
  })
  await page.leave()
})

test('leaving the page performs its disconnect writes and closes the session', async () => {
  const page = new Page()
  await page.start()
  await page.say(parseRequest(1, 'o', { p: '/left', d: true }))
  await expect.poll(() => page.messages).toContainEqual(answer(1))
  await page.leave()
  const left = await fetch(`http://127.0.0.1:${server.port}/left.json?ns=lp`)
  expect(await left.json()).toBe(true)
})

test('the session moves to a websocket without loss or reordering', async () => {
  const page = new Page()
  await page.start()
  const received: unknown[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=lp&s=${page.id}`)
  socket.on('message', (payload: Buffer) => received.push(JSON.parse(payload.toString())))
  await expect.poll(() => received).toEqual([{ t: 'c', d: { t: 'a', d: {} } }])
  socket.send('{"t":"c","d":{"t":"p","d":{}}}')
  await expect.poll(() => received[1]).toEqual({ t: 'c', d: { t: 'o', d: {} } })
  socket.send('{"t":"c","d":{"t":"a","d":{}}}')
  // This message overtakes those still in polling requests and must wait for them.
  socket.send(JSON.stringify(parseRequest(2, 'p', { p: '/order', d: 'second' })))
  await page.say(parseRequest(1, 'p', { p: '/order', d: 'first' }))
  await page.say({ t: 'c', d: { t: 'n', d: {} } })
  await expect.poll(() => page.messages.at(-1)).toEqual({ t: 'c', d: { t: 'n', d: {} } })
  expect(page.messages).toContainEqual(answer(1))
  await expect.poll(() => received).toContainEqual(answer(2))
  void page.poll()
  await expect.poll(() => page.commands.at(-1)?.[0]).toBe('close')
  const order = await fetch(`http://127.0.0.1:${server.port}/order.json?ns=lp`)
  expect(await order.json()).toBe('second')
  socket.terminate()
})

test('refuses invalid credentials and malformed requests', async () => {
  const ask = async (query: string) =>
    (await fetch(`http://127.0.0.1:${server.port}/.lp?ns=lp&${query}`)).status
  const page = new Page()
  await page.start()
  expect(await ask(`id=${page.id}&pw=wrong`)).toBe(400)
  expect(await ask('start=t&cb=alert(1)')).toBe(400)
  expect(await ask('')).toBe(400)
  await page.leave()
})

test('does not keep the parts of an endless message forever', async () => {
  const page = new Page()
  await page.start()
  // The parts are ahead of the next expected one, so that none can be assembled; they are empty, so
  // that only their number counts.
  const pieces = (from: number) =>
    Array.from({ length: 500 }, (_, n) => `&seg${n}=${from + n}&ts${n}=9&d${n}=`).join('')
  let held: Promise<void> | undefined
  for (let sent = 0; page.commands.at(-1)?.[0] !== 'close'; sent += 500) {
    expect(sent).toBeLessThan(200_000)
    const next = page.poll(pieces(sent + 5))
    await held
    held = next
  }
  await held
})

test('disconnects a client that does not fetch its messages before they fill the memory', async () => {
  const page = new Page()
  await page.start()
  await page.say(parseRequest(1, 'q', { p: '/flood', h: '' }))
  await expect.poll(() => page.messages).toContainEqual(answer(1))
  const where = `http://127.0.0.1:${server.port}/flood.json?ns=lp&print=silent`
  for (let count = 0; count < 10; count++) {
    const body = JSON.stringify(String(count).repeat(9 * 1024 * 1024))
    await fetch(where, { method: 'PUT', body })
  }
  await page.poll()
  expect(page.commands.at(-1)?.[0]).toBe('close')
})

test('does not keep early websocket messages forever', async () => {
  const page = new Page()
  await page.start()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=lp&s=${page.id}`)
  const closed = once(socket, 'close')
  await once(socket, 'open')
  const early = JSON.stringify(parseRequest(1, 'p', { p: '/early', d: 'x'.repeat(1024 * 1024) }))
  for (let sentCount = 0; sentCount < 20; sentCount++) socket.send(early)
  expect(await closed).toEqual([1002, expect.anything()])
  await page.leave()
})
