import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { updateProfile, uploadOwnImage } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { cropToSquareJpeg } from '~/src/ui/imageFiles'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './ProfilePage.module.css'
import type { User } from '~/domain/accounts/types'

/** Lets users change their own picture, which drivers and riders see. */
export const ProfilePicture = ({ profile }: { profile: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const input = useRef<HTMLInputElement>(null)
  const { busy, run } = useSingleRun()
  const save = (profile_image: string | undefined) =>
    dispatch(updateProfile({ uid: profile.id, changes: { profile_image } })).unwrap()
  const choosePicture = (chosenFile: File) =>
    run(async () => {
      const file = await cropToSquareJpeg(chosenFile).catch(() => null)
      if (!file) {
        dispatch(
          noticeRaised({
            tone: 'problem',
            text: 'picture_unreadable',
            endedBy: ENDED_BY_PAGE_CHANGE,
          }),
        )
        return
      }
      const image = { uid: profile.id, kind: 'profile_image', file } as const
      await save(await dispatch(uploadOwnImage(image)).unwrap())
      // Said by the operation's own notice.
    }).catch(() => undefined)
  return (
    <div className={css.portrait}>
      {profile.profile_image ? (
        <img src={profile.profile_image} alt={t('profile_image')} width="88" height="88" />
      ) : (
        <span className={css.face}>
          <Icon name="person" size={44} />
        </span>
      )}
      <div>
        <strong>
          <bdi className="typed">
            {profile.firstName} {profile.lastName}
          </bdi>
        </strong>
        <div className={css.row}>
          <Button size="small" busy={busy} onClick={() => input.current?.click()}>
            <Icon name="camera" size={18} />
            {t(profile.profile_image ? 'picture_change' : 'picture_add')}
          </Button>
          {profile.profile_image && (
            <Button
              size="small"
              variant="quiet"
              onClick={() => void save(undefined).catch(() => undefined)}
            >
              {t('remove')}
            </Button>
          )}
        </div>
      </div>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('profile_image')}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // Lets the user choose the same file again after a failure.
          target.value = ''
          if (file) void choosePicture(file)
        }}
      />
    </div>
  )
}
