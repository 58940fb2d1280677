import { dbPaths } from '~/domain/data/databasePaths'
import {
  type FileUsage,
  isWithinQuota,
  parseFileOwner,
  parseUploader,
} from '~/domain/data/storageFiles'
import type { DatabasePort } from '../../ports/database'
import type { StoredFile } from '../../ports/files'

/** The order in which files claim their place in a quota. No two files are equal. */
const compareUploads = (a: StoredFile, b: StoredFile): number =>
  a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1)

/**
 * Splits files by a quota, earliest first. A file over the quota uses nothing of it, so that its
 * removal never changes the result for another file: simultaneous and repeated checks agree.
 */
export const splitByQuota = (
  files: readonly StoredFile[],
  quota: FileUsage,
): { within: StoredFile[]; over: StoredFile[] } => {
  const within: StoredFile[] = []
  const over: StoredFile[] = []
  let used: FileUsage = { count: 0, bytes: 0 }
  for (const file of files.toSorted(compareUploads)) {
    const next = { count: used.count + 1, bytes: used.bytes + file.size }
    if (isWithinQuota(next, quota)) {
      used = next
      within.push(file)
    } else over.push(file)
  }
  return { within, over }
}

/**
 * Returns a function that takes further files and returns those that are over the quota of their
 * group, also when an earlier call held them within it. Keeps only the files within a quota, so
 * that a person with many files costs no memory.
 */
export const createQuotaCounter = (
  quota: FileUsage,
  getGroup: (name: string) => string | null,
): ((files: readonly StoredFile[]) => StoredFile[]) => {
  const filesByGroup = new Map<string, StoredFile[]>()
  return (files) => {
    const groups = new Map<string, StoredFile[]>()
    for (const file of files) {
      const group = getGroup(file.name)
      if (group === null) continue
      const groupFiles = groups.get(group) ?? [...(filesByGroup.get(group) ?? [])]
      groupFiles.push(file)
      groups.set(group, groupFiles)
    }
    return [...groups].flatMap(([group, groupFiles]) => {
      const { within, over } = splitByQuota(groupFiles, quota)
      filesByGroup.set(group, within)
      return over
    })
  }
}

/**
 * Returns true for evidence of a booking that its uploader does not drive: no record can come to
 * show it.
 */
export const isForeignEvidence = async (db: DatabasePort, name: string): Promise<boolean> => {
  const owner = parseFileOwner(name)
  if (owner?.kind !== 'evidence') return false
  const driver = await db.read<string>(`${dbPaths.booking(owner.booking)}/driver`)
  return driver !== parseUploader(name)
}
