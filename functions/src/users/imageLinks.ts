import { isBookingImage, isUserImage } from '~/domain/storageFiles'
import type { Config } from '../config'
import { fail } from '../http/domainException'

type ImageStore = Pick<Config, 'isLocal' | 'bucket'>
type BookingImageLinks = { [Kind in 'pickup_image' | 'deliver_image']?: string | undefined }
type UserImageLinks = { [Kind in 'profile_image' | 'licenseImage']?: string | null | undefined }

/**
 * Refuses images that the booking's driver did not upload for it, because a link could lead
 * anywhere.
 */
export const assertOwnBookingImages = (
  { pickup_image, deliver_image }: BookingImageLinks,
  booking: string,
  driver: string,
  store: ImageStore,
): void => {
  for (const [kind, link] of Object.entries({ pickup_image, deliver_image }))
    if (link !== undefined && !isBookingImage(link, store, { booking, driver, kind }))
      fail('bad_input', kind, { problem: 'Upload the picture for this booking first.' })
}

/**
 * Refuses a portrait or license that the person did not upload. A person whose `uid` is null has
 * not uploaded anything yet.
 */
export const assertOwnUserImages = (
  { profile_image, licenseImage }: UserImageLinks,
  uid: string | null,
  store: ImageStore,
): void => {
  for (const [kind, link] of Object.entries({ profile_image, licenseImage }))
    if (link && (uid === null || !isUserImage(link, store, { uid, kind })))
      fail('bad_input', kind, { problem: 'The owner uploads the picture first.' })
}
