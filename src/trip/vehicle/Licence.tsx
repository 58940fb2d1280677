import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { updateProfile, uploadOwnImage } from '~/src/features/auth/operations'
import { refusalOf, RESUMABLE_ABOVE } from '~/src/services/services'
import { useAppDispatch } from '~/src/store/hooks'
import { noticeRaised } from '~/src/store/notices'
import { Icon } from '~/src/ui/Icon'
import { smallPicture } from '~/src/ui/picture'
import css from './Licence.module.css'

/** Adds or replaces the driver's licence on the spot: the picture is uploaded first, then its link is saved. */
export const LicenceInput = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Refusal | null>(null)
  const send = async (picked: File | undefined) => {
    if (!picked) return
    setBusy(true)
    setProblem(null)
    try {
      const file = await smallPicture(picked, RESUMABLE_ABOVE).catch(() => null)
      if (!file) {
        dispatch(noticeRaised({ tone: 'problem', text: 'picture_unreadable' }))
        return
      }
      const uid = driver.id
      const licenseImage = await dispatch(
        uploadOwnImage({ uid, kind: 'licenseImage', file, quiet: true }),
      ).unwrap()
      await dispatch(updateProfile({ uid, changes: { licenseImage }, quiet: true })).unwrap()
    } catch (error) {
      setProblem('key' in (error as object) ? (error as Refusal) : refusalOf(error))
    } finally {
      setBusy(false)
    }
  }
  const asked = driver.licenseImage ? 'licence_replace' : 'licence_add'
  return (
    <>
      <label className={css.pick} aria-busy={busy || undefined}>
        <Icon name="camera" />
        {t(busy ? 'photo_sending' : asked)}
        <input
          type="file"
          accept="image/*"
          className="visually-hidden"
          onChange={({ target }) => void send(target.files?.[0])}
        />
      </label>
      {problem && (
        <p role="alert" className={css.problem}>
          {t(problem.key, problem.params ?? {})}
        </p>
      )}
    </>
  )
}
