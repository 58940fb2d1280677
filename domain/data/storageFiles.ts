import { getOwn } from './ownValue'

/** The file store and the origin of its download links. */
export interface FileStore {
  bucket: string
  /** True in the Emulator Suite, whose links use a port of this machine. */
  isLocal: boolean
}

// Matches the whole link, so that a user name, path or backslash cannot redirect a browser
// elsewhere. A file's own slashes are encoded.
const DOWNLOAD_LINK =
  /^(https:\/\/firebasestorage\.googleapis\.com(?::443)?|http:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?)\/v0\/b\/([\w.-]+)\/o\/([^/?#\\\s]+)(?:[?#][^\\\s]*)?$/

/** Returns the file name in a download link, or null when the link is not one of our store's. */
export const parseFileName = (link: string, { bucket, isLocal }: FileStore): string | null => {
  const [, origin = '', named, encoded = ''] = DOWNLOAD_LINK.exec(link) ?? []
  if (named !== bucket || bucket === '') return null
  if (!isLocal && !origin.startsWith('https:')) return null
  try {
    return decodeURIComponent(encoded)
  } catch {
    return null
  }
}

const FILE_NAME = /^[A-Za-z0-9_.-]+$/

/**
 * Returns true for a link to evidence of this booking uploaded by its driver. storage.rules let no
 * other account upload it.
 */
export const isBookingImage = (
  link: string,
  store: FileStore,
  { booking, driver, kind }: { booking: string; driver: string; kind: string },
): boolean => {
  const folder = `bookings/${booking}/${driver}/`
  const name = parseFileName(link, store)
  if (!name?.startsWith(folder)) return false
  const file = name.slice(folder.length)
  return file.startsWith(kind) && FILE_NAME.test(file)
}

/** Returns true for a link to a picture of this kind uploaded by this user. */
export const isUserImage = (
  link: string,
  store: FileStore,
  { uid, kind }: { uid: string; kind: string },
): boolean => {
  const base = `users/${uid}/${kind}`
  const name = parseFileName(link, store)
  if (name === base) return true
  return name?.startsWith(`${base}/`) === true && FILE_NAME.test(name.slice(base.length + 1))
}

const PICTURE_TYPE = /^image\/(jpeg|png|webp)$/
const MAX_PICTURE_BYTES = 10 * 1024 * 1024

/** Returns true for a file that storage.rules accept as a picture. */
export const isPicture = ({ contentType, size }: { contentType: string; size: number }): boolean =>
  PICTURE_TYPE.test(contentType) && size > 0 && size <= MAX_PICTURE_BYTES

/** A number of files and their size. */
export interface FileUsage {
  count: number
  bytes: number
}
/**
 * The most that one person may hold in one folder: of portraits, of licenses, or of the evidence of
 * one booking. A record names no further picture; the scheduled job removes what no record shows.
 */
export const FOLDER_QUOTA: FileUsage = { count: 50, bytes: 200 * 1024 * 1024 }
/**
 * The most that one person may have in files younger than a day, in all folders: more than the
 * evidence of a courier's day. The scheduled job removes further ones at once.
 */
export const NEW_FILES_QUOTA: FileUsage = { count: 300, bytes: 1024 * 1024 * 1024 }

/** Returns true when a person may hold as much. */
export const isWithinQuota = ({ count, bytes }: FileUsage, quota: FileUsage): boolean =>
  count <= quota.count && bytes <= quota.bytes

/** Returns the folder of a file, with the slash at its end. */
export const getFolder = (name: string): string => name.slice(0, name.lastIndexOf('/') + 1)

/** Returns the uid of the person who uploaded a file, whose folder storage.rules gave to them. */
export const parseUploader = (name: string): string | null => {
  const [root, first = '', second = '', ...rest] = name.split('/')
  if (root === 'users' && first !== '' && second !== '') return first
  return root === 'bookings' && second !== '' && rest.length > 0 ? second : null
}

/**
 * Returns the name of the license that a person uploads before their sign-up. A token from before
 * the sign-up can replace it for up to an hour, so no record may show it.
 */
export const getDraftLicenseName = (uid: string): string => `users/${uid}/licenseImage`

/** Returns the link to a copy of a file under another name. A copy has its original's token. */
export const toCopyLink = (link: string, name: string): string =>
  link.replace(/\/o\/[^/?#]+/, () => `/o/${encodeURIComponent(name)}`)

/**
 * The record that can show a file, according to the file's name; null for files that are not the
 * product's.
 */
export type FileOwner =
  | { kind: 'evidence'; booking: string; field: 'pickup_image' | 'deliver_image' }
  | { kind: 'portrait' | 'licence' | 'carType' | 'unknown'; uid: string }

const USER_FILE_KINDS: Readonly<Record<string, 'portrait' | 'licence' | 'carType'>> = {
  profile_image: 'portrait',
  licenseImage: 'licence',
  cartypes: 'carType',
}

/**
 * Returns the record that can show a file; null for a file outside the folders that storage.rules
 * open.
 */
export const parseFileOwner = (name: string): FileOwner | null => {
  const [root, first = '', second = '', third = ''] = name.split('/')
  if (root === 'users' && first !== '')
    return { kind: getOwn(USER_FILE_KINDS, second) ?? 'unknown', uid: first }
  if (root !== 'bookings' || first === '' || second === '') return null
  const field = third.startsWith('deliver_image') ? 'deliver_image' : 'pickup_image'
  return { kind: 'evidence', booking: first, field }
}

/**
 * Returns true when a stored link points to this file. Any link format counts, so that no used file
 * is deleted by mistake.
 */
export const isLinkToFile = (link: string | null | undefined, name: string): boolean => {
  const [path = ''] = (link ?? '').split('?')
  try {
    return decodeURIComponent(path).endsWith(`/${name}`)
  } catch {
    return path.endsWith(`/${name}`)
  }
}
