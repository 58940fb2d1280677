import {
  FOLDER_QUOTA,
  getDraftLicenseName,
  getFolder,
  isBookingImage,
  isPicture,
  isUserImage,
  isWithinQuota,
  parseFileName,
  toCopyLink,
} from '~/domain/data/storageFiles'
import { fail } from '../../domainException'
import { generatePushKey } from '../../ports/random'
import type { RequestContext } from '../../ports/requestContext'

type ImageStore = Pick<RequestContext, 'config' | 'files'>
type BookingImageLinks = { [Kind in 'pickup_image' | 'deliver_image']?: string | undefined }
type UserImageLinks = { [Kind in 'profile_image' | 'licenseImage']?: string | null | undefined }

/** Returns true for a link to a picture that is in the store. */
const isStored = async (link: string, { config, files }: ImageStore): Promise<boolean> => {
  const name = parseFileName(link, config)
  const properties = name === null ? null : await files.find(name)
  return properties !== null && isPicture(properties)
}

/** Refuses a picture in a folder in which its owner holds more than they may. */
const assertQuota = async (
  link: string,
  field: string,
  { config, files }: ImageStore,
): Promise<void> => {
  const folder = getFolder(parseFileName(link, config) ?? '')
  if (!isWithinQuota(await files.measureFolder(folder), FOLDER_QUOTA)) fail('too_many_files', field)
}

/**
 * Refuses images that the booking's driver did not upload for it, because a link could lead
 * anywhere, also to a picture that never was.
 */
export const assertOwnBookingImages = async (
  { pickup_image, deliver_image }: BookingImageLinks,
  booking: string,
  driver: string,
  store: ImageStore,
): Promise<void> => {
  for (const [kind, link] of Object.entries({ pickup_image, deliver_image })) {
    if (link === undefined) continue
    const isOwn = isBookingImage(link, store.config, { booking, driver, kind })
    if (!isOwn || !(await isStored(link, store)))
      fail('bad_input', kind, { problem: 'Upload the picture for this booking first.' })
    await assertQuota(link, kind, store)
  }
}

/**
 * Refuses a portrait or license that the person did not upload. A person whose `uid` is null has
 * not uploaded anything yet. Only a sign-up accepts the license that was uploaded for it.
 */
export const assertOwnUserImages = async (
  { profile_image, licenseImage }: UserImageLinks,
  uid: string | null,
  store: ImageStore,
  { isSignUp = false } = {},
): Promise<void> => {
  const isOwn = (link: string, kind: string) =>
    uid !== null &&
    isUserImage(link, store.config, { uid, kind }) &&
    (isSignUp || parseFileName(link, store.config) !== getDraftLicenseName(uid))
  for (const [kind, link] of Object.entries({ profile_image, licenseImage })) {
    if (!link) continue
    if (!(isOwn(link, kind) && (await isStored(link, store))))
      fail('bad_input', kind, { problem: 'The owner uploads the picture first.' })
    await assertQuota(link, kind, store)
  }
}

/**
 * Returns the license link that a new record shows: that of a copy, because the file uploaded for
 * the sign-up can still be replaced. Refuses with bad_input when there is no such file.
 */
export const copyDraftLicense = async (
  link: string,
  uid: string,
  { config, files, now, random }: Pick<RequestContext, 'config' | 'files' | 'now' | 'random'>,
): Promise<string> => {
  const draft = getDraftLicenseName(uid)
  if (parseFileName(link, config) !== draft) return link
  const copy = `${draft}/${generatePushKey(now, random)}`
  if (!(await files.copy(draft, copy)))
    fail('bad_input', 'licenseImage', { problem: 'The owner uploads the picture first.' })
  return toCopyLink(link, copy)
}
