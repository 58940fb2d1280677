import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The two parts of the suite that are Java programs. */
type JavaPart = 'database' | 'storage'

const MIN_JAVA = 21
const DOWNLOAD_TIMEOUT_MS = 10_000
const STAND_IN_HINT = 'Without KERBSIDE_OFFICIAL_EMULATORS the stand-ins run, which need neither.'

/** Returns true when the user requested Google's own parts instead of the stand-ins. */
export const isOfficialRequested = (): boolean => process.env.KERBSIDE_OFFICIAL_EMULATORS === '1'

/** Returns the major version in the output of `java -version`; null without one. */
export const parseJavaMajor = (printed: string): number | null => {
  const [, first, second] = /version "(\d+)(?:\.(\d+))?/.exec(printed) ?? []
  // Java 8 still reports its version as 1.8.
  const major = first === '1' ? second : first
  return major === undefined ? null : Number(major)
}

interface Download {
  remoteUrl: string
  downloadPathRelativeToCacheDir: string
}

const getDownload = (part: JavaPart): Download =>
  (
    createRequire(import.meta.url)(
      'firebase-tools/lib/emulator/downloadableEmulatorInfo.json',
    ) as Record<JavaPart, Download>
  )[part]

const isDownloaded = async (part: JavaPart): Promise<boolean> => {
  const named = process.env[`${part.toUpperCase()}_EMULATOR_BINARY_PATH`]
  if (named) return existsSync(named)
  const { remoteUrl, downloadPathRelativeToCacheDir: file } = getDownload(part)
  const cache =
    process.env.FIREBASE_EMULATORS_PATH ?? join(homedir(), '.cache', 'firebase', 'emulators')
  if (existsSync(join(cache, file))) return true
  const signal = AbortSignal.timeout(DOWNLOAD_TIMEOUT_MS)
  const response = await fetch(remoteUrl, { method: 'HEAD', signal }).catch(() => null)
  return response?.ok === true
}

/** Throws a readable error when Google's own parts cannot run on this machine. */
export async function requireOfficial(
  parts: readonly JavaPart[] = ['database', 'storage'],
): Promise<void> {
  const { stdout, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  const java = parseJavaMajor(`${stdout ?? ''}${stderr ?? ''}`)
  if (java === null || java < MIN_JAVA) {
    const installed = java === null ? 'there is none here' : `this machine has Java ${java}`
    throw new Error(
      `Google's own emulators need Java ${MIN_JAVA} or newer, and ${installed}. ${STAND_IN_HINT}`,
    )
  }
  for (const part of parts) {
    if (await isDownloaded(part)) continue
    throw new Error(
      `Google's own ${part} emulator is not on this machine and can't be downloaded from here. ${STAND_IN_HINT}`,
    )
  }
}
