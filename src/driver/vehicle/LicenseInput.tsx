import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DomainError } from '~/domain/api/errors'
import { updateProfile, uploadOwnImage } from '~/src/features/auth/account'
import { ReviewDialog, isReviewRequired } from '~/src/features/auth/ReviewDialog'
import { liveSettings } from '~/src/features/settings/settings'
import { translateError } from '~/src/i18n/errorTexts'
import { toDomainError, RESUMABLE_ABOVE } from '~/src/services/services'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Icon } from '~/src/ui/Icon'
import { compressToJpeg } from '~/src/ui/imageFiles'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './LicenseInput.module.css'
import type { User } from '~/domain/accounts/types'

const UNREADABLE = {
  tone: 'problem',
  text: 'picture_unreadable',
  endedBy: ENDED_BY_PAGE_CHANGE,
} as const

/** Returns a function that uploads the driver's license and then saves its link, and its state. */
const useLicenseUpload = ({ id: uid }: User) => {
  const dispatch = useAppDispatch()
  const { busy, run } = useSingleRun()
  const [problem, setProblem] = useState<DomainError | null>(null)
  const upload = async (file: Blob) => {
    const licenseImage = await dispatch(
      uploadOwnImage.quiet({ uid, kind: 'licenseImage', file }),
    ).unwrap()
    await dispatch(updateProfile.quiet({ uid, changes: { licenseImage } })).unwrap()
  }
  const send = (picked: File) =>
    run(async () => {
      setProblem(null)
      const file = await compressToJpeg(picked, RESUMABLE_ABOVE).catch(() => null)
      if (file) await upload(file)
      else dispatch(noticeRaised(UNREADABLE))
    }).catch((error: unknown) =>
      setProblem('key' in (error as object) ? (error as DomainError) : toDomainError(error)),
    )
  return { send, busy, problem }
}

/** Adds or replaces the driver's license in place. */
export const LicenseInput = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const { send, busy, problem } = useLicenseUpload(driver)
  const [reviewed, setReviewed] = useState<File | null>(null)
  const { settings } = useLive(liveSettings)
  const ask = (picked: File | undefined) => {
    if (!picked) return
    if (isReviewRequired(driver, { licenseImage: picked.name }, settings)) setReviewed(picked)
    else void send(picked)
  }
  const labelKey = driver.licenseImage ? 'licence_replace' : 'licence_add'
  return (
    <>
      <label className={css.pick} aria-busy={busy || undefined}>
        <Icon name="camera" />
        {t(busy ? 'photo_sending' : labelKey)}
        <input
          type="file"
          accept="image/*"
          className="visually-hidden"
          onChange={({ target }) => {
            ask(target.files?.[0])
            // Lets the driver choose the same picture again.
            target.value = ''
          }}
        />
      </label>
      {reviewed && (
        <ReviewDialog onConfirm={() => send(reviewed)} onClose={() => setReviewed(null)} />
      )}
      {problem && (
        <p role="alert" className={css.problem}>
          {translateError(problem, t)}
        </p>
      )}
    </>
  )
}
