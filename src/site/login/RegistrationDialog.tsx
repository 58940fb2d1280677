import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PendingSignUpForm, pendingSignUpForm } from '~/domain/forms/userForms'
import type { UnconfirmedRegistration } from '~/domain/accounts/pendingRegistration'
import { discardRegistration, userSignup } from '~/src/features/auth/account'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { pendingRegistrationChanged } from '~/src/store/auth'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { TextField } from '~/src/ui/forms/fields'
import { type BindField, useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { DateTime } from '~/src/ui/format/values'
import { Icon } from '~/src/ui/Icon'
import { PROFILE_FIELDS } from '../profileFields'
import { TermsLink } from '../TermsLink'
import css from './RegistrationDialog.module.css'
import { VEHICLE_FIELDS, VehicleTypeField } from './VehicleTypeField'
import type { User } from '~/domain/accounts/types'

const BANK_FIELDS = ['bankName', 'bankCode', 'bankAccount'] as const
const NAMES = PROFILE_FIELDS.map(({ field }) => field)
const TEXT_FIELDS = [
  ...NAMES,
  ...VEHICLE_FIELDS,
  'other_info',
  ...BANK_FIELDS,
  'referralId',
] as const
type TextFieldName = (typeof TEXT_FIELDS)[number]

const LABELS: Partial<Record<TextFieldName, string>> = { other_info: 'signup_other_info' }

/** Shows every field of the sign-up as it was sent, so that no field is confirmed unseen. */
const RegistrationDetails = ({ registration }: { registration: UnconfirmedRegistration }) => {
  const { t } = useTranslation()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  const { usertype, carType, licenseImage } = registration
  const type = cars.find(({ id }) => id === carType)
  return (
    <DescriptionList
      className={css.facts}
      facts={[
        [t('usertype'), t(usertype)],
        ...TEXT_FIELDS.map(
          (field) =>
            [
              t(LABELS[field] ?? field),
              registration[field] && <bdi>{registration[field]}</bdi>,
            ] as const,
        ),
        [t('car_type'), type ? getTypeName(type) : carType],
        [
          t('licenseImage'),
          // A link instead of an image: loading it would tell a stranger's server who reads this.
          licenseImage && (
            <a href={licenseImage} target="_blank" rel="noreferrer">
              {t('open')}
            </a>
          ),
        ],
      ]}
    />
  )
}

const RegistrationFields = ({
  usertype,
  field,
}: {
  usertype: 'rider' | 'driver'
  field: BindField<PendingSignUpForm>
}) => {
  const { t } = useTranslation()
  const isDriver = usertype === 'driver'
  const others = [...(isDriver ? [...VEHICLE_FIELDS, 'other_info' as const] : []), ...BANK_FIELDS]
  return (
    <>
      {PROFILE_FIELDS.map(({ field: name, ...input }) => (
        <TextField key={name} label={t(name)} {...input} {...field(name)} />
      ))}
      {isDriver && <VehicleTypeField {...field('carType')} />}
      {others.map((name) => (
        <TextField
          key={name}
          label={t(LABELS[name] ?? name)}
          hint={t('optional')}
          autoComplete="off"
          {...field(name)}
        />
      ))}
    </>
  )
}

/**
 * Asks the owner of a phone number about a sign-up that was sent without proof of the number. They
 * continue with it unchanged or corrected, discard it, or postpone the answer.
 */
export const RegistrationDialog = ({
  profile,
  registration,
}: {
  profile: User
  registration: UnconfirmedRegistration
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { usertype, at, licenseImage, referralId } = registration
  const [isEditing, setIsEditing] = useState(false)
  const close = () => dispatch(pendingRegistrationChanged(null))
  const { form, element, field, submit, attempt, isSubmitting, problem } = useSchemaForm({
    schema: pendingSignUpForm,
    initial: registration,
    onSubmit: async (values) => {
      const filledValues = Object.fromEntries(
        Object.entries({ ...values, licenseImage, referralId }).filter(([, text]) => text),
      )
      const signUp = { usertype, mobile: profile.mobile, ...filledValues } as const
      const { approved } = await dispatch(userSignup.quiet(signUp)).unwrap()
      // The session of a person who needs approval ends with a notice of its own.
      if (approved) dispatch(noticeRaised({ tone: 'success', text: 'signup_done' }))
      close()
    },
  })
  // A refused field can be corrected only in the form.
  const isRefused = Object.keys(form.formState.errors).some((name) => name !== 'root')
  if (isRefused && !isEditing) setIsEditing(true)
  const discard = () =>
    attempt(async () => {
      await dispatch(discardRegistration.quiet()).unwrap()
      close()
    })
  return (
    <Dialog title={t('registration_title')} onClose={close}>
      <form ref={element} className={css.form} noValidate onSubmit={(event) => void submit(event)}>
        <p>
          {t('registration_text')} <DateTime at={at} />
        </p>
        <p className={css.warning}>
          <Icon name="warning" />
          {t('registration_warning')}
        </p>
        {isEditing ? (
          <RegistrationFields usertype={usertype} field={field} />
        ) : (
          <RegistrationDetails registration={registration} />
        )}
        {problem && <p role="alert">{problem}</p>}
        <TermsLink />
        <div className={css.row}>
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {t('registration_continue')}
          </Button>
          {!isEditing && <Button onClick={() => setIsEditing(true)}>{t('edit')}</Button>}
          <Button variant="danger" busy={isSubmitting} onClick={() => void discard()}>
            {t('registration_discard')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
