import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type OwnProfileForm, ownProfileForm } from '~/domain/forms/userForms'
import { isReferrerAsked } from '~/domain/accounts/referral'
import { signOut, updateProfile } from '~/src/features/auth/account'
import { ReviewDialog, isReviewRequired } from '~/src/features/auth/ReviewDialog'
import { chooseLanguage } from '~/src/features/languages/languages'
import { useCurrentLanguage } from '~/src/features/languages/useCurrentLanguage'
import { InvitePanel } from '~/src/features/referral/InvitePanel'
import {
  normalizeReferralCode,
  clearReferralCode,
  loadReferralCode,
} from '~/src/features/referral/referralCode'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink, SelectInput, TextInput } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { PHONE_QUERY } from '~/src/ui/screenWidths'
import { useMediaQuery } from '~/src/ui/useMediaQuery'
import { TextField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { NotificationPanel } from '~/src/features/inbox/NotificationPanel'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { getMissingFields, PROFILE_FIELDS } from '../profileFields'
import { ReferralFormField } from '../ReferralFormField'
import { AccountPanel } from './AccountPanel'
import { ProfilePicture } from './ProfilePicture'
import css from './ProfilePage.module.css'
import { SavedPlaces } from './SavedPlaces'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const MessagePreferences = lazyWithRetry(
  async () => (await import('./MessagePreferences')).MessagePreferences,
)
const PhoneDialog = lazyWithRetry(async () => (await import('./PhoneDialog')).PhoneDialog)

/** Milliseconds between the save and its notice. */
const NOTICE_DELAY_MS = 1500

/** Renders the choice of the language, which applies at once, like the one in the header. */
const LanguageField = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { langlist, current } = useCurrentLanguage()
  if (langlist.length === 0) return null
  const choose = (locale: string) => {
    const language = langlist.find(({ langLocale }) => langLocale === locale)
    if (!language) return
    const { langLocale, dateLocale } = language
    void dispatch(chooseLanguage({ langLocale, dateLocale }))
  }
  return (
    <SelectInput
      label={t('language')}
      value={current?.langLocale ?? ''}
      onChange={(event) => choose(event.target.value)}
    >
      {langlist.map(({ langLocale, langName }) => (
        <option key={langLocale} value={langLocale}>
          {langName}
        </option>
      ))}
    </SelectInput>
  )
}

/** Holds the form of the own profile; a driver agrees to a review before some changes. */
const useProfileForm = (profile: User, settings: Settings | null | undefined) => {
  const dispatch = useAppDispatch()
  const { current: language } = useCurrentLanguage()
  // Only a new profile can name a referrer.
  const [wasNew] = useState(
    () => isReferrerAsked(profile, Date.now()) || getMissingFields(profile).length > 0,
  )
  const isNew = wasNew && !profile.signupViaReferral
  /** The values that wait for the driver's consent to a review. */
  const [reviewed, setReviewed] = useState<OwnProfileForm | null>(null)
  const save = async ({ referralId, ...fields }: OwnProfileForm) => {
    const lang = language && { langLocale: language.langLocale, dateLocale: language.dateLocale }
    const code = normalizeReferralCode(referralId)
    const changes = { ...fields, ...(lang && { lang }), ...(isNew && code && { referralId: code }) }
    await dispatch(updateProfile.quiet({ uid: profile.id, changes })).unwrap()
    if (isNew) clearReferralCode()
    setTimeout(
      () => dispatch(noticeRaised({ tone: 'success', text: 'profile_updated' })),
      NOTICE_DELAY_MS,
    )
  }
  const { element, field, submit, attempt, isSubmitting, problem } = useSchemaForm({
    schema: ownProfileForm,
    initial: {
      firstName: profile.firstName ?? '',
      lastName: profile.lastName ?? '',
      email: profile.email ?? '',
      referralId: isNew ? loadReferralCode() : '',
    },
    onSubmit: async (values) => {
      const { firstName, lastName, email } = values
      if (isReviewRequired(profile, { firstName, lastName, email }, settings)) setReviewed(values)
      else await save(values)
    },
  })
  const review = reviewed && (
    <ReviewDialog
      onConfirm={() => attempt(() => save(reviewed))}
      onClose={() => setReviewed(null)}
    />
  )
  return { element, field, submit, isSubmitting, problem, isNew, review }
}

const ProfileForm = ({
  profile,
  settings,
  onChangePhone,
}: {
  profile: User
  settings: Settings | null | undefined
  onChangePhone: () => void
}) => {
  const { t } = useTranslation()
  const { element, field, submit, isSubmitting, problem, isNew, review } = useProfileForm(
    profile,
    settings,
  )
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {PROFILE_FIELDS.map(({ field: name, ...input }) => (
        <TextField key={name} label={t(name)} {...input} {...field(name)} />
      ))}
      {isNew && (profile.usertype === 'rider' || profile.usertype === 'driver') && (
        <ReferralFormField {...field('referralId')} />
      )}
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
      <LanguageField />
      <TextInput label={t('usertype')} value={t(profile.usertype)} readOnly />
      {problem && <p role="alert">{problem}</p>}
      <div className={css.foot}>
        <Button type="submit" variant="primary" busy={isSubmitting}>
          {t('save')}
        </Button>
        {profile.usertype === 'rider' && (
          <ButtonLink to={screenPaths.home} variant="quiet">
            {t('book_one')}
          </ButtonLink>
        )}
      </div>
      {review}
    </form>
  )
}

/** Opens the choice of optional messages, which loads only then. */
const PreferencesPanel = ({ usertype }: Pick<User, 'usertype'>) => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <section className={css.form}>
      <h2>{t('preferences_title')}</h2>
      <p>{t('preferences_text')}</p>
      {isOpen ? (
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <MessagePreferences usertype={usertype} />
        </Suspense>
      ) : (
        <div className={css.foot}>
          <Button onClick={() => setIsOpen(true)}>{t('preferences_open')}</Button>
        </div>
      )}
    </section>
  )
}

/** Lets users edit their own name, e-mail and language; the account type is read-only. */
export const ProfilePage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isPhone = useMediaQuery(PHONE_QUERY)
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const [changingPhone, setChangingPhone] = useState(false)
  if (!profile) return null
  const isRider = profile.usertype === 'rider'
  return (
    <div className={css.page}>
      <h1>{t('profile_title')}</h1>
      <p className={css.text}>{t('profile_text')}</p>
      <div className={css.parts}>
        <ProfilePicture profile={profile} />
        <ProfileForm
          key={profile.id}
          profile={profile}
          settings={settings}
          onChangePhone={() => setChangingPhone(true)}
        />
        {isRider && <SavedPlaces profile={profile} />}
        <InvitePanel user={profile} settings={settings} />
        <NotificationPanel />
        <PreferencesPanel usertype={profile.usertype} />
        <AccountPanel profile={profile} />
        {isRider && isPhone && (
          <Button onClick={() => void dispatch(signOut())}>
            <Icon name="out" size={18} />
            {t('logout')}
          </Button>
        )}
      </div>
      {changingPhone && (
        <Suspense fallback={null}>
          <PhoneDialog uid={profile.id} onClose={() => setChangingPhone(false)} />
        </Suspense>
      )}
    </div>
  )
}
