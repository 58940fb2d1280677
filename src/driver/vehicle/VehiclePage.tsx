import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownVehicleForm, type OwnVehicleForm } from '~/domain/forms/userForms'
import { updateProfile } from '~/src/features/auth/account'
import { ReviewDialog, isReviewRequired } from '~/src/features/auth/ReviewDialog'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button, TextInput } from '~/src/ui/controls'
import { TextField } from '~/src/ui/forms/fields'
import { useSchemaForm } from '~/src/ui/forms/useSchemaForm'
import { useDriverTexts } from '../driverTexts'
import { LicenseInput } from './LicenseInput'
import css from './VehiclePage.module.css'
import type { User } from '~/domain/accounts/types'

const VEHICLE_FIELDS = [
  { name: 'vehicleMake', label: 'your_make', maxLength: 100 },
  { name: 'vehicleModel', label: 'your_model', maxLength: 100 },
  { name: 'vehicleNumber', label: 'your_plate', maxLength: 30 },
] as const

const VehicleForm = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  const { settings } = useLive(liveSettings)
  /** The changes that wait for the driver's consent to a review. */
  const [reviewed, setReviewed] = useState<OwnVehicleForm | null>(null)
  const save = async (changes: OwnVehicleForm) => {
    await dispatch(updateProfile.quiet({ uid: driver.id, changes })).unwrap()
    dispatch(noticeRaised({ tone: 'success', text: 'saved' }))
  }
  const { element, field, submit, attempt, isSubmitting, problem } = useSchemaForm({
    schema: ownVehicleForm,
    initial: {
      vehicleMake: driver.vehicleMake ?? '',
      vehicleModel: driver.vehicleModel ?? '',
      vehicleNumber: driver.vehicleNumber ?? '',
      other_info: driver.other_info ?? '',
    },
    onSubmit: async (changes) => {
      if (isReviewRequired(driver, changes, settings)) setReviewed(changes)
      else await save(changes)
    },
  })
  const carType = cars.find(({ id }) => id === driver.carType)
  return (
    <form ref={element} className={css.card} noValidate onSubmit={(event) => void submit(event)}>
      <TextInput
        label={t('your_class')}
        value={carType ? getTypeName(carType) : ''}
        readOnly
        hint={t(driver.carType ? 'your_class_hint' : 'lacks_car_type')}
      />
      {VEHICLE_FIELDS.map(({ name, label, maxLength }) => (
        <TextField
          key={name}
          label={t(label)}
          maxLength={maxLength}
          autoComplete="off"
          {...field(name)}
        />
      ))}
      <TextField label={t('your_other_info')} multiline maxLength={1000} {...field('other_info')} />
      {problem && <p role="alert">{problem}</p>}
      <Button type="submit" variant="primary" size="large" wide busy={isSubmitting}>
        {t('save')}
      </Button>
      {reviewed && (
        <ReviewDialog
          onConfirm={() => attempt(() => save(reviewed))}
          onClose={() => setReviewed(null)}
        />
      )}
    </form>
  )
}

/** Renders the driver's vehicle and license; the back office sets the vehicle type. */
export const VehiclePage = () => {
  useDriverTexts()
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  return (
    <div className={css.page}>
      <h1>{t('your_vehicle')}</h1>
      {driver && <VehicleForm key={driver.id} driver={driver} />}
      {driver && (
        <section className={css.card} aria-labelledby="licence-title">
          <h2 id="licence-title">{t('your_licence')}</h2>
          {driver.licenseImage ? (
            <img src={driver.licenseImage} alt={t('your_licence')} />
          ) : (
            <p>{t('lacks_licence')}</p>
          )}
          <LicenseInput driver={driver} />
        </section>
      )}
    </div>
  )
}
