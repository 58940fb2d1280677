import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { parseJavaMajor, requireOfficial } from './officialEmulators'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'official-'))
  vi.stubEnv('PATH', folder)
  vi.stubEnv('FIREBASE_EMULATORS_PATH', folder)
  vi.stubEnv('DATABASE_EMULATOR_BINARY_PATH', undefined)
  vi.stubEnv('STORAGE_EMULATOR_BINARY_PATH', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

const installJava = (version: string) => {
  const file = join(folder, 'java')
  writeFileSync(file, `#!/bin/sh\necho 'openjdk version "${version}" 2025-04-15' >&2\n`)
  chmodSync(file, 0o755)
}

describe('Google’s own emulators', () => {
  test('are refused with an explanation without Java', async () => {
    await expect(requireOfficial()).rejects.toThrow('need Java 21 or newer, and there is none here')
  })

  test('are refused with an explanation when Java is too old', async () => {
    installJava('17.0.15')
    await expect(requireOfficial()).rejects.toThrow('and this machine has Java 17.')
  })

  test('are refused with the name of the missing part', async () => {
    installJava('21.0.2')
    vi.stubEnv('DATABASE_EMULATOR_BINARY_PATH', join(folder, 'none.jar'))
    await expect(requireOfficial()).rejects.toThrow(
      "Google's own database emulator is not on this machine",
    )
  })

  test('are used when they were downloaded before', async () => {
    installJava('21.0.2')
    const parts = createRequire(import.meta.url)(
      'firebase-tools/lib/emulator/downloadableEmulatorInfo.json',
    ) as Record<string, { downloadPathRelativeToCacheDir: string }>
    for (const part of ['database', 'storage']) {
      writeFileSync(join(folder, parts[part]?.downloadPathRelativeToCacheDir ?? ''), '')
    }
    await expect(requireOfficial()).resolves.toBeUndefined()
  })
})

test('reads both formats of a Java version', () => {
  expect(parseJavaMajor('openjdk version "21" 2023-09-19')).toBe(21)
  expect(parseJavaMajor('java version "1.8.0_392"')).toBe(8)
  expect(parseJavaMajor('command not found')).toBe(null)
})
