import { useEffect, useMemo, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import * as v from 'valibot'
import { driverSignUpForm } from '~/domain/forms/userForms'
import { getHomePage } from '~/domain/access/permissions'
import { signOut, uploadLicense, userSignup } from '~/src/features/auth/account'
import {
  normalizeReferralCode,
  clearReferralCode,
  loadReferralCode,
} from '~/src/features/referral/referralCode'
import { liveSettings } from '~/src/features/settings/settings'
import { RESUMABLE_ABOVE } from '~/src/services/services'
import {
  registrationEnded,
  registrationStarted,
  selectAuth,
  signInCancelled,
} from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { ENDED_BY_PAGE_CHANGE, noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink, TextInput } from '~/src/ui/controls'
import { TextField, toText, useField } from '~/src/ui/forms/fields'
import { type FieldBinding, type FieldName, useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { Icon } from '~/src/ui/Icon'
import { Link, navigate } from '~/src/ui/navigation/router'
import { compressToJpeg } from '~/src/ui/imageFiles'
import { useArrivalFocus } from '~/src/ui/useArrivalFocus'
import { PROFILE_FIELDS } from '../profileFields'
import { ReferralFormField } from '../ReferralFormField'
import { TermsLink } from '../TermsLink'
import css from './LoginPage.module.css'
import { PhoneSignIn } from './PhoneSignIn'
import { VEHICLE_FIELDS, VehicleTypeField } from './VehicleTypeField'
import { WaitingForApproval } from './WaitingForApproval'
import type { UserType } from '~/domain/access/types'

const signUpForm = v.object({
  ...driverSignUpForm.entries,
  licenseImage: v.instance(Blob, 'image_required'),
})

/** Takes a picture of the driver's license, which is uploaded with the sign-up. */
const LicenseField = <Values extends FieldValues, Name extends FieldName<Values, Blob>>(
  bound: FieldBinding<Values, Name>,
) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { value, inputProps } = useField(
    { ...bound, label: t('licenseImage'), hint: t('licence_hint') },
    toText,
  )
  const { onChange, ...input } = inputProps
  const picture = value as Blob | null
  const url = useMemo(() => picture && URL.createObjectURL(picture), [picture])
  const choosePicture = async (chosenFile: File) => {
    const file = await compressToJpeg(chosenFile, RESUMABLE_ABOVE).catch(() => null)
    if (file) onChange(file)
    else
      dispatch(
        noticeRaised({
          tone: 'problem',
          text: 'picture_unreadable',
          endedBy: ENDED_BY_PAGE_CHANGE,
        }),
      )
  }
  return (
    <div className={css.licence}>
      {url && <img src={url} alt={t('licenseImage')} onLoad={() => URL.revokeObjectURL(url)} />}
      <TextInput
        {...input}
        type="file"
        accept="image/*"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void choosePicture(file)
        }}
      />
    </div>
  )
}

const RegistrationForm = ({
  uid,
  mobile,
  onSend,
}: {
  uid: string
  mobile: string
  onSend: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { element, field, submit, isSubmitting, problem } = useSchemaForm({
    schema: signUpForm,
    initial: {
      firstName: '',
      lastName: '',
      email: '',
      carType: '',
      vehicleMake: '',
      vehicleModel: '',
      vehicleNumber: '',
      licenseImage: null,
      other_info: '',
      referralId: loadReferralCode(),
    },
    onSubmit: async ({ licenseImage: file, referralId, other_info, ...fields }) => {
      // The picture comes first, because the registration contains its link.
      const licenseImage = await dispatch(uploadLicense({ uid, file })).unwrap()
      const code = normalizeReferralCode(referralId)
      onSend()
      await dispatch(
        userSignup.quiet({
          usertype: 'driver',
          mobile,
          licenseImage,
          ...fields,
          ...(other_info && { other_info }),
          ...(code && { referralId: code }),
        }),
      ).unwrap()
      clearReferralCode()
    },
  })
  return (
    <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
      {PROFILE_FIELDS.map(({ field: name, ...input }) => (
        <TextField key={name} label={t(name)} {...input} {...field(name)} />
      ))}
      <VehicleTypeField {...field('carType')} />
      {VEHICLE_FIELDS.map((name) => (
        <TextField key={name} label={t(name)} autoComplete="off" {...field(name)} />
      ))}
      <LicenseField {...field('licenseImage')} />
      <TextField
        label={t('signup_other_info')}
        hint={t('optional')}
        multiline
        rows={2}
        maxLength={1000}
        {...field('other_info')}
      />
      <ReferralFormField {...field('referralId')} />
      {problem && <p role="alert">{problem}</p>}
      <Button type="submit" variant="primary" size="large" wide busy={isSubmitting}>
        {t('signup_do')}
      </Button>
    </form>
  )
}

/** Welcomes a driver who needs no approval. */
const Welcome = () => {
  const { t } = useTranslation()
  const heading = useArrivalFocus()
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1 ref={heading} tabIndex={-1}>
          {t('signup_welcome_title')}
        </h1>
        <p className={css.text}>{t('signup_welcome_text')}</p>
        <ButtonLink to={screenPaths.trips} variant="primary" size="large" wide>
          {t('signup_start')}
        </ButtonLink>
      </section>
    </div>
  )
}

/** Offers to end the session of an account that drives no vehicle. */
const OtherAccount = ({ usertype }: { usertype: UserType }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <>
      <p className={css.text}>{t('signup_other_account', { usertype: t(usertype) })}</p>
      <Button
        onClick={() => void dispatch(signOut()).then(() => navigate(screenPaths.driverSignUp))}
      >
        <Icon name="out" size={18} />
        {t('logout')}
      </Button>
    </>
  )
}

/** Lets a driver sign up: first their number, then their name, vehicle and license. */
export const DriverSignUpPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { info, unregisteredUser, error } = useAppSelector(selectAuth)
  const [hasSent, setSent] = useState(false)
  const { loading: isLoadingSettings } = useLive(liveSettings)
  useEffect(() => {
    dispatch(registrationStarted())
    return () => {
      const { unregisteredUser: unfinished } = selectAuth(store.getState())
      dispatch(signInCancelled())
      dispatch(registrationEnded())
      // A signed-in user without a profile is unusable, so the next sign-in starts over.
      if (unfinished) void dispatch(signOut())
    }
  }, [dispatch, store])
  if (error.msg === 'require_approval') return <WaitingForApproval />
  if (info?.usertype === 'driver' && hasSent) return <Welcome />
  if (info?.usertype === 'driver') return <Navigate to={getHomePage('driver')} replace />
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('signup_title')}</h1>
        {info ? (
          <OtherAccount usertype={info.usertype} />
        ) : unregisteredUser ? (
          <>
            <p className={css.kept}>
              <Icon name="check" />
              <bdi dir="ltr">{unregisteredUser.mobile}</bdi>
            </p>
            <RegistrationForm {...unregisteredUser} onSend={() => setSent(true)} />
          </>
        ) : (
          <>
            <p className={css.text}>{t('signup_text')}</p>
            <PhoneSignIn />
          </>
        )}
      </section>
      {/* The settings decide how many links the line has. */}
      {!isLoadingSettings && (
        <p className={css.home}>
          <Link to={screenPaths.login}>{t('login_title')}</Link>
          <TermsLink />
        </p>
      )}
    </div>
  )
}
