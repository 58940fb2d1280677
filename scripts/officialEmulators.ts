import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The two parts of the suite that are Java programs. */
type JavaPart = 'database' | 'storage'

const OLDEST_JAVA = 21
const PATIENCE_MS = 10_000
const HOW_WITHOUT = 'Without KERBSIDE_OFFICIAL_EMULATORS the stand-ins run, which need neither.'

/** True when the person asked for Google's own parts instead of the stand-ins. */
export const wantsOfficial = (): boolean => process.env.KERBSIDE_OFFICIAL_EMULATORS === '1'

/** The major version in what `java -version` prints; null when there is none. */
export const javaMajor = (printed: string): number | null => {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(printed) ?? []
  // Java 8 still called itself 1.8.
  const major = first === '1' ? second : first
  return major === undefined ? null : Number(major)
}

interface Download {
  remoteUrl: string
  downloadPathRelativeToCacheDir: string
}

const downloadOf = (part: JavaPart): Download =>
  (
    createRequire(import.meta.url)(
      'firebase-tools/lib/emulator/downloadableEmulatorInfo.json',
    ) as Record<JavaPart, Download>
  )[part]

const isThere = async (part: JavaPart): Promise<boolean> => {
  const named = process.env[`${part.toUpperCase()}_EMULATOR_BINARY_PATH`]
  if (named) return existsSync(named)
  const { remoteUrl, downloadPathRelativeToCacheDir: file } = downloadOf(part)
  const cache =
    process.env.FIREBASE_EMULATORS_PATH ?? join(homedir(), '.cache', 'firebase', 'emulators')
  if (existsSync(join(cache, file))) return true
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const answer = await fetch(remoteUrl, { method: 'HEAD', signal }).catch(() => null)
  return answer?.ok === true
}

/** Throws a sentence for a person when Google's own parts can't run on this machine. */
export async function requireOfficial(
  parts: readonly JavaPart[] = ['database', 'storage'],
): Promise<void> {
  const { stdout, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const java = javaMajor(`${stdout ?? ''}${stderr ?? ''}`)
  if (java === null || java < OLDEST_JAVA) {
    const found = java === null ? 'there is none here' : `this machine has Java ${java}`
    throw new Error(
      `Google's own emulators need Java ${OLDEST_JAVA} or newer, and ${found}. ${HOW_WITHOUT}`,
    )
  }
  for (const part of parts) {
    if (await isThere(part)) continue
    throw new Error(
      `Google's own ${part} emulator is not on this machine and can't be downloaded from here. ${HOW_WITHOUT}`,
    )
  }
}
