import { useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { domainError } from '~/domain/api/errors'
import { type VehicleTypeForm, vehicleTypeForm } from '~/domain/forms/catalogForms'
import { dbPaths } from '~/domain/data/databasePaths'
import { editVehicleType } from '~/src/features/vehicleTypes/editVehicleType'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { getPriceUnit } from '~/src/ui/forms/fieldUnits'
import { ImageField, NumberField, Section, SelectField, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { TranslatedTexts } from '~/src/office/recordPages/TranslatedTexts'
import { useOverlayParam } from '~/src/ui/table/tableState'
import type { BindField, InitialValues } from '~/src/ui/forms/useSchemaForm'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { getNow } from '../dates'
import { ImportButton } from '../imports/ImportButton'
import { useOfficeSession } from '../useOfficeSession'
import { makeColumns } from './vehicleTypeColumns'
import { isListField, ListButtons, ListPanel, type ListField } from './VehicleTypeLists'
import type { VehicleType } from '~/domain/catalog/types'

type MainForm = Omit<VehicleTypeForm, ListField>
/**
 * Removes the lists, which have their own panels: saving the other fields must not overwrite them.
 */
const withoutLists = (car: VehicleType) =>
  Object.fromEntries(Object.entries(car).filter(([field]) => !isListField(field))) as MainForm
/** The initial values of a new vehicle type. */
const EMPTY_FORM: InitialValues<MainForm> = {
  name: '',
  image: '',
  base_fare: 0,
  rate_per_unit_distance: null,
  rate_per_hour: null,
  min_fare: 0,
  convenience_fees: 0,
  convenience_fee_type: 'percentage',
  extra_info: '',
}

const MainFields = ({ field, isMiles }: { field: BindField<MainForm>; isMiles: boolean }) => {
  const { t } = useTranslation()
  const feeTypeField = field('convenience_fee_type')
  const feeType = useWatch({ control: feeTypeField.control, name: feeTypeField.name })
  const { storage } = useServices()
  const { profile } = useOfficeSession()
  const upload = (file: File) =>
    storage.upload(`users/${profile?.id ?? ''}/cartypes/${Date.now()}`, file)
  return (
    <>
      <Section title={t('car_type')}>
        <TextField label={t('name')} {...field('name')} />
        <TextField label={t('extra_info')} multiline {...field('extra_info')} />
      </Section>
      <TranslatedTexts binding={field('names')}>
        {({ langName, langLocale }) => (
          <TextField key={langLocale} label={langName} {...field(`names.${langLocale}`)} />
        )}
      </TranslatedTexts>
      <TranslatedTexts label={t('translated_info')} binding={field('infos')}>
        {({ langName, langLocale }) => (
          <TextField
            key={langLocale}
            label={langName}
            multiline
            {...field(`infos.${langLocale}`)}
          />
        )}
      </TranslatedTexts>
      <ImageField label={t('picture')} onUpload={upload} {...field('image')} />
      <Section title={t('fare')}>
        <NumberField label={t('base_fare')} unit="money" {...field('base_fare')} />
        <NumberField
          label={t(isMiles ? 'rate_per_mile' : 'rate_per_km')}
          unit="money"
          {...field('rate_per_unit_distance')}
        />
        <NumberField label={t('rate_per_hour')} unit="money" {...field('rate_per_hour')} />
        <NumberField label={t('min_fare')} unit="money" {...field('min_fare')} />
        <NumberField
          label={t('convenience_fee')}
          unit={getPriceUnit(feeType)}
          {...field('convenience_fees')}
        />
        <SelectField
          label={t('convenience_fee_type')}
          options={[
            { value: 'flat', label: t('flat') },
            { value: 'percentage', label: t('percentage') },
          ]}
          {...feeTypeField}
        />
      </Section>
    </>
  )
}

/** Returns what saves a vehicle type, and what removes it. */
const useVehicleTypeChanges = (car: VehicleType | undefined) => {
  const dispatch = useAppDispatch()
  const { canOrNotify, can, notify, notifyDeleted } = useOfficeSession()
  const save = async (changes: Partial<VehicleType>) => {
    if (!can('cartype_save')) throw domainError('demo_mode')
    // Without a picture we store no link instead of an empty one.
    const fields = 'image' in changes ? { ...changes, image: changes.image || undefined } : changes
    await dispatch(
      editVehicleType.quiet(
        car
          ? { method: 'Update', carType: { ...fields, id: car.id } }
          : {
              method: 'Add',
              carType: { ...(fields as VehicleType), createdAt: getNow() },
            },
      ),
    ).unwrap()
    notify('saved')
  }
  const remove = async () => {
    if (!car || !canOrNotify('cartype_delete')) throw new Error('refused')
    await dispatch(editVehicleType({ carType: car, method: 'Delete' })).unwrap()
    notifyDeleted(() => dispatch(editVehicleType({ carType: car, method: 'Add' })))
  }
  return { save, remove }
}

/** Edits a vehicle type or one of its lists, or adds a vehicle type. */
const VehicleTypePanel = ({
  car,
  part,
  onClose,
}: {
  car: VehicleType | undefined
  part: string | null
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const authors = useEditAuthors(car && dbPaths.carType(car.id))
  const { save, remove } = useVehicleTypeChanges(car)
  if (car && isListField(part))
    return <ListPanel {...{ car, part, authors, onClose }} onSave={save} />
  return (
    <EditPanel<MainForm>
      wide
      title={car?.name ?? t('add_car_type')}
      schema={vehicleTypeForm}
      initial={car ? withoutLists(car) : EMPTY_FORM}
      onSave={(values, changes) => save(car ? changes : values)}
      {...authors}
      onClose={onClose}
      {...(car && { onRemove: remove, undoable: true })}
    >
      {(field) => (
        <>
          <MainFields field={field} isMiles={settings?.convert_to_mile ?? false} />
          {car && (
            <Section title={t('audit_of_record')}>
              <AuditTrail path={dbPaths.carType(car.id)} />
            </Section>
          )}
        </>
      )}
    </EditPanel>
  )
}

/**
 * Lists the vehicle types: their prices, their parcel types and options (delivery), and their
 * cancellation fees.
 */
export const VehicleTypesPage = () => {
  const { t } = useTranslation()
  const { settings, canOrNotify, can } = useOfficeSession()
  const { cars, ...listQuery } = useLive(liveVehicleTypes)
  // Contains 'id', 'new', or 'id~part' for one of its lists.
  const { opened, open, linkTo, close } = useOverlayParam('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const currency = settings?.code
  const isMiles = settings?.convert_to_mile ?? false
  const columns = useMemo(() => makeColumns(t, currency, isMiles), [t, currency, isMiles])
  const car = cars.find(({ id }) => id === edited)
  const openAllowed = (what: string) => {
    if (canOrNotify('cartype_save')) open(what)
  }
  return (
    <ListPage
      id="cartypes"
      title={t('menu_car_types')}
      query={listQuery}
      add={{ label: t('add_car_type'), onAdd: () => openAllowed('new') }}
      headActions={<ImportButton kind="vehicleTypes" />}
      empty={t('no_cars')}
      rows={cars}
      columns={columns}
      toSearchText={(one) => one.name}
      linkTo={(one) => linkTo(one.id)}
      onOpen={(one) => open(one.id)}
      openedId={part ? null : edited}
      actions={(one) => (
        <ListButtons
          car={one}
          isDelivery={settings?.appcat === 'delivery'}
          onOpen={(list) => openAllowed(`${one.id}~${list}`)}
        />
      )}
      {...(can('table_export') && { exportAs: { name: 'cartypes' } })}
    >
      {(car || edited === 'new') && (
        <VehicleTypePanel key={opened} car={car} part={part} onClose={() => close()} />
      )}
    </ListPage>
  )
}
