import { once } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { startDatabase } from './server'
import type { Database } from './server'

let server: Database
beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

type Script = (parent: { window: Record<string, (...args: unknown[]) => void> }) => void

/** A page that polls: it runs the scripts it is sent, as a browser would. */
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

  /** Sends a message in pieces of `size` characters, the last piece first. */
  async say(message: unknown, size = 1000): Promise<void> {
    const text = Buffer.from(JSON.stringify(message)).toString('base64url')
    const pieces = text.match(new RegExp(`.{1,${size}}`, 'g')) ?? []
    const first = this.segments
    this.segments += pieces.length
    const polls = pieces
      .map((piece, i) => `&seg0=${first + i}&ts0=${pieces.length}&d0=${piece}`)
      .toReversed()
    // The server lets a poll go as soon as the next one comes, so they need not be waited for.
    for (const data of polls) void this.poll(data)
    await vi.waitFor(() => expect(this.messages.length).toBeGreaterThan(0))
  }

  leave(): Promise<unknown> {
    return fetch(
      `http://127.0.0.1:${server.port}/.lp?ns=lp&disconn=t&id=${this.id}&pw=${this.password}`,
      { method: 'POST' },
    )
  }
}

const request = (r: number, a: string, b: unknown) => ({ t: 'd', d: { r, a, b } })
const answer = (r: number) =>
  expect.objectContaining({
    d: { r, b: expect.objectContaining({ s: 'ok' }) as unknown },
  }) as unknown

test('a browser that polls is greeted, answered and told of changes', async () => {
  const page = new Page()
  await page.start()
  expect(page.commands).toEqual([['start', page.id, expect.any(String)]])
  expect(page.messages[0]).toMatchObject({ t: 'c', d: { t: 'h', d: { v: '5', s: page.id } } })
  await page.say(request(1, 'q', { p: '/a', h: '' }))
  await vi.waitFor(() => expect(page.messages).toContainEqual(answer(1)))
  await page.say(request(2, 'p', { p: '/a', d: { long: 'ñ'.repeat(3000) } }))
  await vi.waitFor(() => expect(page.messages).toContainEqual(answer(2)))
  expect(page.messages).toContainEqual({
    t: 'd',
    d: { a: 'd', b: { p: 'a', d: { long: 'ñ'.repeat(3000) } } },
  })
  await page.leave()
})

test('leaving the page does what was left for it, and closes', async () => {
  const page = new Page()
  await page.start()
  await page.say(request(1, 'o', { p: '/left', d: true }))
  await vi.waitFor(() => expect(page.messages).toContainEqual(answer(1)))
  await page.leave()
  const left = await fetch(`http://127.0.0.1:${server.port}/left.json?ns=lp`)
  expect(await left.json()).toBe(true)
})

test('the session moves to a websocket without losing or reordering anything', async () => {
  const page = new Page()
  await page.start()
  const heard: unknown[] = []
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=lp&s=${page.id}`)
  socket.on('message', (payload: Buffer) => heard.push(JSON.parse(payload.toString())))
  await vi.waitFor(() => expect(heard).toEqual([{ t: 'c', d: { t: 'a', d: {} } }]))
  socket.send('{"t":"c","d":{"t":"p","d":{}}}')
  await vi.waitFor(() => expect(heard[1]).toEqual({ t: 'c', d: { t: 'o', d: {} } }))
  socket.send('{"t":"c","d":{"t":"a","d":{}}}')
  // This overtakes what is still on its way by polling, and must wait for it.
  socket.send(JSON.stringify(request(2, 'p', { p: '/order', d: 'second' })))
  await page.say(request(1, 'p', { p: '/order', d: 'first' }))
  await page.say({ t: 'c', d: { t: 'n', d: {} } })
  await vi.waitFor(() => expect(page.messages.at(-1)).toEqual({ t: 'c', d: { t: 'n', d: {} } }))
  expect(page.messages).toContainEqual(answer(1))
  await vi.waitFor(() => expect(heard).toContainEqual(answer(2)))
  void page.poll()
  await vi.waitFor(() => expect(page.commands.at(-1)?.[0]).toBe('close'))
  const order = await fetch(`http://127.0.0.1:${server.port}/order.json?ns=lp`)
  expect(await order.json()).toBe('second')
  socket.terminate()
})

test('strangers and nonsense get nothing', async () => {
  const ask = async (query: string) =>
    (await fetch(`http://127.0.0.1:${server.port}/.lp?ns=lp&${query}`)).status
  const page = new Page()
  await page.start()
  expect(await ask(`id=${page.id}&pw=wrong`)).toBe(400)
  expect(await ask('start=t&cb=alert(1)')).toBe(400)
  expect(await ask('')).toBe(400)
  await page.leave()
})

test('pieces of a message that never ends are not kept for ever', async () => {
  const page = new Page()
  await page.start()
  // Ahead of what comes next, so that nothing can be put together; empty, so that only their number counts.
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

test('a reader who does not come for what he is told is let go before it fills the memory', async () => {
  const page = new Page()
  await page.start()
  await page.say(request(1, 'q', { p: '/flood', h: '' }))
  await vi.waitFor(() => expect(page.messages).toContainEqual(answer(1)))
  const where = `http://127.0.0.1:${server.port}/flood.json?ns=lp&print=silent`
  for (let told = 0; told < 10; told++) {
    const body = JSON.stringify(String(told).repeat(9 * 1024 * 1024))
    await fetch(where, { method: 'PUT', body })
  }
  await page.poll()
  expect(page.commands.at(-1)?.[0]).toBe('close')
})

test('what a websocket says before its turn is not kept for ever', async () => {
  const page = new Page()
  await page.start()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/.ws?v=5&ns=lp&s=${page.id}`)
  const closed = once(socket, 'close')
  await once(socket, 'open')
  const early = JSON.stringify(request(1, 'p', { p: '/early', d: 'x'.repeat(1024 * 1024) }))
  for (let said = 0; said < 20; said++) socket.send(early)
  expect(await closed).toEqual([1002, expect.anything()])
  await page.leave()
})
