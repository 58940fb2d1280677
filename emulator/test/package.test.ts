import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildPackage } from '../build'

const SOURCE = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)
const run = promisify(execFile)

let folder = ''
let installed = ''
let database: ChildProcess | undefined

/** Installs the built package for a consumer, with the dependencies of this workspace. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stand-in-package-'))
  installed = join(folder, 'node_modules', 'realtime-database-stand-in')
  await mkdir(installed, { recursive: true })
  await cp(join(SOURCE, 'package.json'), join(installed, 'package.json'))
  await cp(join(SOURCE, 'bin'), join(installed, 'bin'), { recursive: true })
  const modules = dirname(dirname(require.resolve('typescript/package.json')))
  await symlink(modules, join(installed, 'node_modules'))
  await mkdir(join(folder, 'node_modules', '@types'))
  await symlink(join(modules, '@types', 'node'), join(folder, 'node_modules', '@types', 'node'))
  await buildPackage(join(installed, 'dist'))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
})
afterAll(async () => {
  database?.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

test('the package contains every file that its exports and its command name', async () => {
  const { exports, bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8')) as {
    exports: Record<string, string | Record<string, string>>
    bin: Record<string, string>
  }
  const files = [...Object.values(exports), bin].flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  )
  for (const file of files) expect(await readFile(join(installed, file), 'utf8')).not.toBe('')
})

test('plain Node.js runs each module, and they share their classes', async () => {
  const script = `
    import { startDatabase } from 'realtime-database-stand-in'
    import { createDatabase, RequestError } from 'realtime-database-stand-in/in-process'
    import { compileRules, RulesError } from 'realtime-database-stand-in/rules'
    import { StorageRulesRuntime } from 'realtime-database-stand-in/storage-rules'
    const rules = '{"rules": {"open": {".read": true, ".write": true}}}'
    const ana = createDatabase({ rules }).asUser('ana')
    ana.set('open', { x: [1, 2], many: Object.fromEntries([...Array(99).keys()].map((i) => ['k' + i, i])) })
    const refused = (run, Kind) => { try { run() } catch (error) { return error instanceof Kind } }
    const server = await startDatabase({ host: '127.0.0.1', port: 0 })
    await server.close()
    console.log(JSON.stringify([
      ana.get('open/x'),
      refused(() => ana.get('closed'), RequestError),
      refused(() => compileRules('{}'), RulesError),
      typeof StorageRulesRuntime,
      server.port > 0,
    ]))`
  await writeFile(join(folder, 'consumer.mjs'), script)
  const { stdout } = await run(process.execPath, ['consumer.mjs'], { cwd: folder })
  expect(JSON.parse(stdout)).toEqual([[1, 2], true, true, 'function', true])
})

test('TypeScript finds the types in a project with the module resolution of Node.js', async () => {
  const source = `
    import { startDatabase, type RunningDatabase } from 'realtime-database-stand-in'
    import { createDatabase, type DatabaseClient } from 'realtime-database-stand-in/in-process'
    import { compileRules } from 'realtime-database-stand-in/rules'
    import { StorageRulesRuntime } from 'realtime-database-stand-in/storage-rules'
    export const server: Promise<RunningDatabase> = startDatabase({ host: '127.0.0.1', port: 0 })
    export const client: DatabaseClient = createDatabase({ rules: '' }).asAdmin()
    export const rows: [string, unknown][] = client.list('a', { orderBy: '$key', limitToLast: 1 })
    export const indexes: readonly string[] = compileRules('').findIndexes(['a'])
    export const runtime = new StorageRulesRuntime()
    // @ts-expect-error A limit is a number.
    client.list('a', { orderBy: '$key', limitToLast: 'x' })`
  await writeFile(join(folder, 'consumer.ts'), source)
  const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2023']
  const compiler = require.resolve('typescript/bin/tsc')
  const compiled = await run(
    process.execPath,
    [compiler, ...options, '--types', 'node', 'consumer.ts'],
    {
      cwd: folder,
    },
  ).catch((error: unknown) => error)
  expect(compiled).toMatchObject({ stdout: '' })
})

test('the command starts a database that keeps its data in a folder', async () => {
  const options = ['--port', '0', '--data-dir', join(folder, 'data')]
  const start = async (): Promise<string> => {
    database = spawn(process.execPath, [join(installed, 'bin', 'database.mjs'), ...options])
    let printed = ''
    return new Promise((resolve, reject) => {
      const { stdout } = database as ChildProcess
      stdout?.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const [, address] = /listening on (\S+:\d+)/.exec(printed) ?? []
        if (address !== undefined) resolve(`http://${address}/a.json?ns=x`)
      })
      database?.on('exit', () => reject(new Error(`The command ended: ${printed}`)))
    })
  }
  const first = await start()
  await fetch(first, { method: 'PUT', body: '{"x":1}' })
  database?.kill('SIGKILL')
  expect(await (await fetch(await start())).json()).toEqual({ x: 1 })
})
