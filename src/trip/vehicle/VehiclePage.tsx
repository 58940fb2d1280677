import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { User } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { updateProfile } from '~/src/features/auth/operations'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button, TextArea, TextInput } from '~/src/ui/controls'
import { useTripTexts } from '../texts'
import { LicenceInput } from './Licence'
import css from './VehiclePage.module.css'

const FIELDS = [
  { field: 'vehicleMake', label: 'your_make', maxLength: 100 },
  { field: 'vehicleModel', label: 'your_model', maxLength: 100 },
  { field: 'vehicleNumber', label: 'your_plate', maxLength: 30 },
] as const

const VehicleForm = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { cars } = useLive(carTypes)
  const [draft, setDraft] = useState({
    vehicleMake: driver.vehicleMake ?? '',
    vehicleModel: driver.vehicleModel ?? '',
    vehicleNumber: driver.vehicleNumber ?? '',
    other_info: driver.other_info ?? '',
  })
  const [refused, setRefused] = useState<Refusal | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setRefused(null)
    setBusy(true)
    const changes = {
      vehicleMake: draft.vehicleMake.trim(),
      vehicleModel: draft.vehicleModel.trim(),
      vehicleNumber: draft.vehicleNumber.trim(),
      other_info: draft.other_info.trim(),
    }
    try {
      await dispatch(updateProfile({ uid: driver.id, changes, quiet: true })).unwrap()
      dispatch(noticeRaised({ tone: 'success', text: 'saved' }))
    } catch (error) {
      setRefused(error as Refusal)
    } finally {
      setBusy(false)
    }
  }
  const carType = cars.find(({ id }) => id === driver.carType)?.name
  return (
    <form className={css.card} noValidate onSubmit={(event) => void save(event)}>
      <TextInput
        label={t('your_class')}
        value={carType ?? ''}
        readOnly
        hint={t(driver.carType ? 'your_class_hint' : 'lacks_car_type')}
      />
      {FIELDS.map(({ field, label, maxLength }) => (
        <TextInput
          key={field}
          label={t(label)}
          value={draft[field]}
          maxLength={maxLength}
          autoComplete="off"
          onChange={({ target }) => setDraft({ ...draft, [field]: target.value })}
        />
      ))}
      <TextArea
        label={t('your_other_info')}
        value={draft.other_info}
        maxLength={1000}
        onChange={({ target }) => setDraft({ ...draft, other_info: target.value })}
      />
      {refused && <p role="alert">{t(refused.key, refused.params ?? {})}</p>}
      <Button type="submit" look="primary" size="large" wide busy={busy}>
        {t('save')}
      </Button>
    </form>
  )
}

/** What a driver drives and his licence; the class of the vehicle is the office's to set. */
export const VehiclePage = () => {
  useTripTexts()
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
          <LicenceInput driver={driver} />
        </section>
      )}
    </div>
  )
}
