import { dbPaths } from '~/domain/data/databasePaths'
import {
  FOLDER_QUOTA,
  type FileUsage,
  getFolder,
  isWithinQuota,
  NEW_FILES_QUOTA,
  parseFileOwner,
  parseUploader,
} from '~/domain/data/storageFiles'
import type { StoredFile } from '../../ports/files'
import { isFileInUse, isNewFile } from './fileCleanup'
import type { Ports } from '../../ports/ports'

/** Files per page, and pages of a person's folder. A person with more is over every quota. */
const PAGE_SIZE = 1000
const MAX_PAGES = 3

type UploadPorts = Pick<Ports, 'db' | 'files'>

/** Returns a person's own files, or null when there are more than a check reads. */
const listOwnFiles = async (
  { files }: UploadPorts,
  uid: string,
): Promise<readonly StoredFile[] | null> => {
  const found: StoredFile[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { page, next } = await files.listPage(cursor, PAGE_SIZE, `users/${uid}/`)
    found.push(...page)
    if (next === null) return found
    cursor = next
  }
  return null
}

/**
 * Returns how much a person had in new files once this one was there. The order of the uploads
 * decides, so that checks of simultaneous uploads keep the same files.
 */
const measureUntil = (own: readonly StoredFile[], name: string, now: number): FileUsage => {
  const ordered = own
    .filter((file) => isNewFile(file, now))
    .sort((a, b) => a.createdAt - b.createdAt || (a.name < b.name ? -1 : 1))
  const until = ordered.slice(0, ordered.findIndex((file) => file.name === name) + 1)
  return { count: until.length, bytes: until.reduce((sum, { size }) => sum + size, 0) }
}

/** Returns true when no record may show a new file of this person. */
const isOverQuota = async (ports: UploadPorts, name: string, now: number): Promise<boolean> => {
  const owner = parseFileOwner(name)
  const uploader = parseUploader(name)
  if (owner === null || uploader === null) return false
  if (owner.kind === 'evidence') {
    const driver = await ports.db.read<string>(`${dbPaths.booking(owner.booking)}/driver`)
    if (driver !== uploader) return true
    return !isWithinQuota(await ports.files.measureFolder(getFolder(name)), FOLDER_QUOTA)
  }
  const own = await listOwnFiles(ports, uploader)
  return own === null || !isWithinQuota(measureUntil(own, name, now), NEW_FILES_QUOTA)
}

/**
 * Removes a file right after its upload when the person holds too much, or when it is evidence of a
 * booking that they do not drive: a record could not name it. Reads only the person's own folder,
 * so that its cost does not depend on the store's size. Safe to repeat. Returns true for a removal.
 */
export const removeUploadOverQuota = async (
  ports: UploadPorts,
  name: string,
  now: number,
): Promise<boolean> => {
  if (!(await isOverQuota(ports, name, now)) || (await isFileInUse(ports.db, name))) return false
  await ports.files.remove(name)
  return true
}
