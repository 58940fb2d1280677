import {
  FOLDER_QUOTA,
  getFolder,
  NEW_FILES_QUOTA,
  parseFileOwner,
  parseUploader,
} from '~/domain/data/storageFiles'
import type { StoredFile } from '../../ports/files'
import { isFileInUse, isNewFile } from './fileCleanup'
import { isForeignEvidence, splitByQuota } from './fileQuota'
import type { Ports } from '../../ports/ports'

/** Files per page, and pages of a folder that a check reads at most. */
const PAGE_SIZE = 1000
const MAX_PAGES = 3

type UploadPorts = Pick<Ports, 'db' | 'files'>

/**
 * Returns the files that count with an upload, or null when it is gone. Of a folder with more files
 * than a check reads, returns the first ones and the upload: an upload that is over the quota
 * of files beside these is also over it beside all. The hourly job judges the others.
 */
const listBeside = async (
  { files }: UploadPorts,
  upload: StoredFile,
  folder: string,
): Promise<StoredFile[] | null> => {
  const folderFiles: StoredFile[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { page, next } = await files.listPage(cursor, PAGE_SIZE, folder)
    folderFiles.push(...page)
    cursor = next
    if (next === null) break
  }
  if (folderFiles.some(({ name }) => name === upload.name)) return folderFiles
  return cursor === null ? null : [...folderFiles, upload]
}

/** Returns true when no record may show this upload. */
const isOverQuota = async (
  ports: UploadPorts,
  upload: StoredFile,
  now: number,
): Promise<boolean> => {
  const owner = parseFileOwner(upload.name)
  const uploader = parseUploader(upload.name)
  if (owner === null || uploader === null) return false
  const isEvidence = owner.kind === 'evidence'
  if (isEvidence && (await isForeignEvidence(ports.db, upload.name))) return true
  const folder = isEvidence ? getFolder(upload.name) : `users/${uploader}/`
  const folderFiles = await listBeside(ports, upload, folder)
  if (folderFiles === null) return false
  const { over } = isEvidence
    ? splitByQuota(folderFiles, FOLDER_QUOTA)
    : splitByQuota(
        folderFiles.filter((file) => isNewFile(file, now)),
        NEW_FILES_QUOTA,
      )
  return over.some(({ name }) => name === upload.name)
}

/**
 * Removes a file right after its upload when the person holds too much, or when it is evidence of a
 * booking that they do not drive. Reads only the person's own folder and evidence only of this
 * booking, so that its cost does not depend on the store's size; the hourly job also counts the
 * evidence of all bookings. Safe to repeat. Returns true for a removal.
 */
export const removeUploadOverQuota = async (
  ports: UploadPorts,
  upload: StoredFile,
  now: number,
): Promise<boolean> => {
  const { name } = upload
  if (!(await isOverQuota(ports, upload, now)) || (await isFileInUse(ports.db, name))) return false
  await ports.files.remove(name)
  return true
}
