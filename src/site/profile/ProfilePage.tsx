import { type FormEvent, lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import { type Refusal, refusal } from '~/domain/errors'
import { isProperEmail } from '~/domain/people'
import { updateProfile } from '~/src/features/auth/operations'
import { languages } from '~/src/features/languages/languages'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink, SelectInput, TextInput } from '~/src/ui/controls'
import { chooseLocale } from '~/src/ui/language'
import { NotifyPanel } from '~/src/features/inbox/NotifyPanel'
import { PERSON } from '../person'
import { AccountPanel } from './AccountPanel'
import { Portrait } from './Portrait'
import css from './ProfilePage.module.css'
import { SavedPlaces } from './SavedPlaces'

const PhoneDialog = lazy(async () => ({ default: (await import('./PhoneDialog')).PhoneDialog }))

/** The message comes a little after the save (specification 9). */
const SAID_AFTER_MS = 1500

const ProfileForm = ({ profile, onChangePhone }: { profile: User; onChangePhone: () => void }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { langlist } = useLive(languages)
  const [draft, setDraft] = useState({
    firstName: profile.firstName ?? '',
    lastName: profile.lastName ?? '',
    email: profile.email ?? '',
    langLocale: profile.lang?.langLocale ?? '',
  })
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!isProperEmail(draft.email)) {
      setRefused(refusal('proper_email', 'email'))
      return
    }
    setRefused(null)
    setBusy(true)
    const chosen = langlist.find((l) => l.langLocale === draft.langLocale)
    const lang = chosen && { langLocale: chosen.langLocale, dateLocale: chosen.dateLocale }
    const changes = {
      firstName: draft.firstName.trim(),
      lastName: draft.lastName.trim(),
      email: draft.email.trim(),
      ...(lang && { lang }),
    }
    try {
      await dispatch(updateProfile({ uid: profile.id, changes, quiet: true })).unwrap()
      if (lang) chooseLocale(lang.langLocale)
      setTimeout(
        () => dispatch(noticeRaised({ tone: 'success', text: 'profile_updated' })),
        SAID_AFTER_MS,
      )
    } catch (error) {
      setRefused(error as Refusal)
    } finally {
      setBusy(false)
    }
  }
  const errorAt = (field: string) =>
    refused?.field === field ? t(refused.key, refused.params ?? {}) : undefined
  return (
    <form className={css.form} noValidate onSubmit={(event) => void save(event)}>
      {PERSON.map(({ field, ...input }) => (
        <TextInput
          key={field}
          label={t(field)}
          {...input}
          value={draft[field]}
          error={errorAt(field)}
          onChange={({ target }) => setDraft({ ...draft, [field]: target.value })}
        />
      ))}
      <TextInput
        label={t('mobile')}
        value={profile.mobile}
        readOnly
        dir="ltr"
        hint={t('phone_change_note')}
      />
      <div>
        <Button size="small" onClick={onChangePhone}>
          {t('change_number')}
        </Button>
      </div>
      {langlist.length > 0 && (
        <SelectInput
          label={t('language')}
          value={draft.langLocale}
          onChange={({ target }) => setDraft({ ...draft, langLocale: target.value })}
        >
          {!draft.langLocale && <option value="" />}
          {langlist.map(({ id, langLocale, langName }) => (
            <option key={id} value={langLocale}>
              {langName}
            </option>
          ))}
        </SelectInput>
      )}
      <TextInput label={t('usertype')} value={t(profile.usertype)} readOnly />
      {refused && !refused.field && <p role="alert">{t(refused.key, refused.params ?? {})}</p>}
      <div className={css.foot}>
        <Button type="submit" look="primary" busy={busy}>
          {t('save')}
        </Button>
        {profile.usertype === 'rider' && (
          <ButtonLink to={screens.home} look="quiet">
            {t('book_one')}
          </ButtonLink>
        )}
      </div>
    </form>
  )
}

/** One's own name, address and language; the account type is only shown. */
export const ProfilePage = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const [changingPhone, setChangingPhone] = useState(false)
  if (!profile) return null
  const isRider = profile.usertype === 'rider'
  return (
    <div className={css.page}>
      <h1>{t('profile_title')}</h1>
      <p className={css.text}>{t('profile_text')}</p>
      <div className={css.parts}>
        <Portrait profile={profile} />
        <ProfileForm
          key={profile.id}
          profile={profile}
          onChangePhone={() => setChangingPhone(true)}
        />
        {isRider && <SavedPlaces profile={profile} />}
        <NotifyPanel />
        <AccountPanel profile={profile} />
      </div>
      {changingPhone && (
        <Suspense fallback={null}>
          <PhoneDialog uid={profile.id} onClose={() => setChangingPhone(false)} />
        </Suspense>
      )}
    </div>
  )
}
