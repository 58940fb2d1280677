import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate } from 'react-router-dom'
import { type Refusal, refusal } from '~/domain/errors'
import { isProperEmail } from '~/domain/people'
import { homeOf } from '~/domain/permissions'
import { signOut, uploadOwnImage, userSignup } from '~/src/features/auth/operations'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { RESUMABLE_ABOVE } from '~/src/services/services'
import {
  registrationEnded,
  registrationStarted,
  selectAuth,
  signInCancelled,
} from '~/src/store/auth'
import { useAppDispatch, useAppSelector, useAppStore } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screens } from '~/src/store/screens'
import { Button, SelectInput, TextArea, TextInput } from '~/src/ui/controls'
import { focusWrong } from '~/src/ui/focusWrong'
import { Icon } from '~/src/ui/Icon'
import { Link, go } from '~/src/ui/place'
import { smallPicture } from '~/src/ui/picture'
import { PERSON } from '../person'
import css from './LoginPage.module.css'
import { PhoneSignIn } from './PhoneSignIn'

const VEHICLE = ['vehicleMake', 'vehicleModel', 'vehicleNumber'] as const
const REQUIRED = [
  'firstName',
  'lastName',
  'email',
  ...VEHICLE,
  'carType',
] as const satisfies (keyof Registration)[]

interface Registration {
  firstName: string
  lastName: string
  email: string
  vehicleMake: string
  vehicleModel: string
  vehicleNumber: string
  carType: string
  other_info: string
  referralId: string
}
const EMPTY: Registration = {
  firstName: '',
  lastName: '',
  email: '',
  vehicleMake: '',
  vehicleModel: '',
  vehicleNumber: '',
  carType: '',
  other_info: '',
  referralId: '',
}

const LicenceField = ({
  picture,
  error,
  onPicture,
}: {
  picture: { file: Blob; url: string } | null
  error: string | undefined
  onPicture: (picture: { file: Blob; url: string }) => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const take = async (chosen: File) => {
    const file = await smallPicture(chosen, RESUMABLE_ABOVE).catch(() => null)
    if (file) onPicture({ file, url: URL.createObjectURL(file) })
    else dispatch(noticeRaised({ tone: 'problem', text: 'picture_unreadable' }))
  }
  return (
    <div className={css.licence}>
      {picture && <img src={picture.url} alt={t('licenseImage')} />}
      <TextInput
        label={t('licenseImage')}
        hint={t('licence_hint')}
        type="file"
        accept="image/*"
        error={error}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file) void take(file)
        }}
      />
    </div>
  )
}

const RegistrationForm = ({ uid, mobile }: { uid: string; mobile: string }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { cars } = useLive(carTypes)
  const [typed, setTyped] = useState(EMPTY)
  const [picture, setPicture] = useState<{ file: Blob; url: string } | null>(null)
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (refused) focusWrong(form.current)
  }, [refused])
  const change = (changes: Partial<Registration>) => {
    setTyped((before) => ({ ...before, ...changes }))
    setRefused(null)
  }
  const wrong = (): Refusal | null => {
    const blank = REQUIRED.find((field) => !typed[field].trim())
    if (blank) return { ...refusal('select_proper', blank), key: 'field_required' as never }
    if (!isProperEmail(typed.email)) return refusal('proper_email', 'email')
    return picture ? null : refusal('image_required', 'licenseImage')
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    const problem = wrong()
    setRefused(problem)
    if (problem || !picture) return
    setBusy(true)
    try {
      // The picture first: the registration carries its link.
      const image = { uid, kind: 'licenseImage', file: picture.file } as const
      const licenseImage = await dispatch(uploadOwnImage(image)).unwrap()
      const { referralId, other_info, ...fields } = typed
      await dispatch(
        userSignup({
          usertype: 'driver',
          mobile,
          userPlatform: 'WEB',
          licenseImage,
          ...fields,
          ...(other_info.trim() && { other_info }),
          ...(referralId.trim() && { referralId: referralId.trim() }),
          quiet: true,
        }),
      ).unwrap()
      dispatch(noticeRaised({ tone: 'success', text: 'signup_done' }))
    } catch (error) {
      setRefused(error as Refusal)
      setBusy(false)
    }
  }
  const errorAt = (field: string) =>
    refused?.field === field ? t(refused.key, refused.params ?? {}) : undefined
  return (
    <form ref={form} className={css.form} noValidate onSubmit={(event) => void send(event)}>
      {PERSON.map(({ field, ...input }) => (
        <TextInput
          key={field}
          label={t(field)}
          {...input}
          value={typed[field]}
          error={errorAt(field)}
          onChange={({ target }) => change({ [field]: target.value })}
        />
      ))}
      <SelectInput
        label={t('car_type')}
        value={typed.carType}
        error={errorAt('carType')}
        onChange={({ target }) => change({ carType: target.value })}
      >
        <option value="" />
        {cars.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectInput>
      {VEHICLE.map((field) => (
        <TextInput
          key={field}
          label={t(field)}
          value={typed[field]}
          error={errorAt(field)}
          autoComplete="off"
          onChange={({ target }) => change({ [field]: target.value })}
        />
      ))}
      <LicenceField
        picture={picture}
        error={errorAt('licenseImage')}
        onPicture={(taken) => {
          setPicture(taken)
          setRefused(null)
        }}
      />
      <TextArea
        label={t('signup_other_info')}
        hint={t('optional')}
        rows={2}
        maxLength={1000}
        value={typed.other_info}
        onChange={({ target }) => change({ other_info: target.value })}
      />
      <TextInput
        label={t('referralId')}
        hint={t('optional')}
        value={typed.referralId}
        error={errorAt('referralId')}
        autoComplete="off"
        onChange={({ target }) => change({ referralId: target.value })}
      />
      {refused && !errorAt(refused.field ?? '') && (
        <p role="alert">{t(refused.key, refused.params ?? {})}</p>
      )}
      <Button type="submit" look="primary" size="large" wide busy={busy}>
        {t('signup_do')}
      </Button>
    </form>
  )
}

/** A driver signs himself up: his number, then who he is, what he drives, and his licence. */
export const DriverSignUpPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const store = useAppStore()
  const { info, newcomer, registering } = useAppSelector(selectAuth)
  useEffect(() => {
    dispatch(registrationStarted())
    return () => {
      const { newcomer: unfinished } = selectAuth(store.getState())
      dispatch(signInCancelled())
      dispatch(registrationEnded())
      // Signed in without a profile is nobody: the next sign-in begins afresh.
      if (unfinished) void dispatch(signOut())
    }
  }, [dispatch, store])
  if (info?.usertype === 'driver') return <Navigate to={homeOf('driver')} replace />
  return (
    <div className={css.page}>
      <section className={css.card}>
        <h1>{t('signup_title')}</h1>
        {info ? (
          <>
            <p className={css.text}>{t('signup_other_account', { usertype: t(info.usertype) })}</p>
            <Button onClick={() => void dispatch(signOut()).then(() => go(screens.driverSignUp))}>
              <Icon name="out" size={18} />
              {t('logout')}
            </Button>
          </>
        ) : newcomer ? (
          <>
            <p className={css.kept}>
              <Icon name="check" />
              <bdi dir="ltr">{newcomer.mobile}</bdi>
            </p>
            <RegistrationForm {...newcomer} />
          </>
        ) : (
          <>
            <p className={css.text}>{t('signup_text')}</p>
            {registering && <PhoneSignIn />}
          </>
        )}
      </section>
      <p className={css.home}>
        <Link to={screens.login}>{t('login_title')}</Link>
      </p>
    </div>
  )
}
