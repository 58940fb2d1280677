import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  describeBusyPorts,
  DEFAULT_PORTS,
  findFreePortBase,
  HOST,
  isPortFree,
  parsePortBase,
  createPorts,
  findRunningPorts,
} from './ports'

const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})
const listenOn = (port: number) =>
  new Promise<number>((resolve) => {
    const server = createServer().listen({ host: HOST, port }, () =>
      resolve((server.address() as AddressInfo).port),
    )
    open.push(() => server.close())
  })

test('counts all ports up from a base', () => {
  const ports = createPorts(7400)
  expect(ports.hosting).toBe(7400)
  expect(Object.keys(ports)).toEqual(Object.keys(DEFAULT_PORTS))
  expect(Object.values(ports)).toEqual(Object.values(ports).map((_, index) => 7400 + index))
})

test('uses the default ports without a base', () => {
  expect(createPorts(undefined)).toEqual(DEFAULT_PORTS)
})

test('refuses an invalid base with an explanation', () => {
  expect(parsePortBase(undefined)).toBeUndefined()
  expect(parsePortBase('')).toBeUndefined()
  expect(parsePortBase('7400')).toBe(7400)
  for (const text of ['abc', '80', '65535', '7400.5']) {
    expect(() => parsePortBase(text)).toThrow('KERBSIDE_PORT_BASE must be')
  }
})

test('reports a port in use together with its purpose', async () => {
  const taken = await listenOn(0)
  expect(await isPortFree(taken)).toBe(false)
  const ports = { ...createPorts(await findFreePortBase()), database: taken }
  expect(await describeBusyPorts(ports)).toEqual([
    expect.stringContaining(`Port ${taken}, wanted for the database, is taken by`),
  ])
})

test('finds a base whose ports are all free', async () => {
  expect(await describeBusyPorts(createPorts(await findFreePortBase()))).toEqual([])
})

test('finds a different base for each of fifty at once', async () => {
  const bases = await Promise.all(Array.from({ length: 50 }, () => findFreePortBase()))
  expect(new Set(bases).size).toBe(50)
})

test('tells a command without a running Kerbside how to start one and what else to do', async () => {
  const env = { KERBSIDE_PORT_BASE: String(await findFreePortBase()) }
  await expect(findRunningPorts(env, ', or add --start')).rejects.toThrow(
    `No Kerbside runs at 127.0.0.1:${env.KERBSIDE_PORT_BASE}. Run \`npm start\` in another window first, or add --start.`,
  )
})
