import { createServer, type AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import {
  busyPorts,
  DEFAULT_PORTS,
  freePortBase,
  HOST,
  isFree,
  portBaseFrom,
  portsFrom,
  runningPorts,
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

test('a base moves every port, one after the other', () => {
  const ports = portsFrom(7400)
  expect(ports.hosting).toBe(7400)
  expect(Object.keys(ports)).toEqual(Object.keys(DEFAULT_PORTS))
  expect(Object.values(ports)).toEqual(Object.values(ports).map((_, index) => 7400 + index))
})

test('without a base the usual ports are taken', () => {
  expect(portsFrom(undefined)).toEqual(DEFAULT_PORTS)
})

test('a base that is no port number is refused in a sentence', () => {
  expect(portBaseFrom(undefined)).toBeUndefined()
  expect(portBaseFrom('')).toBeUndefined()
  expect(portBaseFrom('7400')).toBe(7400)
  for (const text of ['abc', '80', '65535', '7400.5']) {
    expect(() => portBaseFrom(text)).toThrow('KERBSIDE_PORT_BASE must be')
  }
})

test('a taken port is named with what it is wanted for', async () => {
  const taken = await listenOn(0)
  expect(await isFree(taken)).toBe(false)
  const ports = { ...portsFrom(await freePortBase()), database: taken }
  expect(await busyPorts(ports)).toEqual([
    expect.stringContaining(`Port ${taken}, wanted for the database, is taken by`),
  ])
})

test('free ports are free', async () => {
  expect(await busyPorts(portsFrom(await freePortBase()))).toEqual([])
})

test('who needs a running Kerbside is told how to start one, and what else to do', async () => {
  const env = { KERBSIDE_PORT_BASE: String(await freePortBase()) }
  await expect(runningPorts(env, ', or add --start')).rejects.toThrow(
    `No Kerbside runs at 127.0.0.1:${env.KERBSIDE_PORT_BASE}. Run \`npm start\` in another window first, or add --start.`,
  )
})
