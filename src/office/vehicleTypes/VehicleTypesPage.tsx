import { type ReactNode, useEffect, useMemo } from 'react'
import { type FieldValues, useFieldArray, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import { domainError } from '~/domain/api/errors'
import {
  type VehicleTypeForm,
  cancellationFeeTierForm,
  vehicleTypeForm,
  choiceForm,
} from '~/domain/forms/catalogForms'
import { dbPaths } from '~/domain/data/databasePaths'
import { editVehicleType } from '~/src/features/vehicleTypes/editVehicleType'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { isSameValue, ConcurrentEditHint } from '~/src/ui/forms/concurrentEdits'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import { ImageField, NumberField, Section, SelectField, TextField } from '~/src/ui/forms/fields'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import { TranslatedTexts } from '~/src/office/recordPages/TranslatedTexts'
import pages from '~/src/office/recordPages/pages.module.css'
import { useOverlayParam } from '~/src/ui/table/tableState'
import type { AuthorLookup } from '~/src/ui/forms/useEditForm'
import type { BindField, FieldBinding, InitialValues } from '~/src/ui/forms/useSchemaForm'
import { EmptyState } from '~/src/ui/feedback/states'
import { AuditTrail } from '../audit/AuditTrail'
import { useEditAuthors } from '../audit/useEditAuthors'
import { getNow } from '../dates'
import { ImportButton } from '../imports/ImportButton'
import { useOfficeSession } from '../useOfficeSession'
import css from './VehicleTypesPage.module.css'
import { makeColumns } from './vehicleTypeColumns'
import type { VehicleType } from '~/domain/catalog/types'

type ListField = 'parcelTypes' | 'options' | 'cancelSlab'
const LIST_TITLES: Record<ListField, string> = {
  parcelTypes: 'parcel_types',
  options: 'options',
  cancelSlab: 'cancel_slabs',
}
const isListField = (value: string | null): value is ListField =>
  value !== null && value in LIST_TITLES

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

/** Edits a list inside the form: its rows, a button to add one, and buttons to remove them. */
const RowsEditor = <Row,>({
  label,
  rows,
  list: { fields, append, remove, replace },
  binding: { describe, concurrentEdit },
  blank,
  show,
  children,
}: {
  label: string
  rows: Row[]
  list: {
    fields: { id: string }[]
    append: (row: Row) => void
    remove: (index: number) => void
    replace: (rows: Row[]) => void
  }
  binding: Pick<FieldBinding<FieldValues, string>, 'describe' | 'concurrentEdit'>
  blank: Row
  /** Formats one row as text, for sentences about the list. */
  show: (row: Row) => string
  children: (index: number) => ReactNode
}) => {
  const { t } = useTranslation()
  const toRows = (value: unknown) => (value ?? []) as Row[]
  const shows = (value: unknown) => toRows(value).map(show).join(', ') || t('empty_value')
  useEffect(() => describe?.({ label, formatValue: shows }))
  return (
    <div className={css.rows}>
      {concurrentEdit && (
        <ConcurrentEditHint
          edit={concurrentEdit}
          author={concurrentEdit.author}
          show={shows}
          isMine={!concurrentEdit.isResolved && !isSameValue(rows, concurrentEdit.to)}
          onTake={() => replace(toRows(concurrentEdit.to))}
        />
      )}
      {fields.length === 0 && <EmptyState title={t('no_rows')} />}
      {fields.map(({ id }, index) => (
        <div key={id} className={css.row}>
          {children(index)}
          <IconButton label={t('remove')} onClick={() => remove(index)}>
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      <Button onClick={() => append(blank)}>
        <Icon name="plus" size={18} />
        {t('add')}
      </Button>
    </div>
  )
}

const choicesForm = v.object({ rows: v.array(choiceForm) })
type ChoicesForm = v.InferOutput<typeof choicesForm>
const cancellationFeesForm = v.object({ rows: v.array(cancellationFeeTierForm) })
type CancellationFeesForm = v.InferOutput<typeof cancellationFeesForm>

interface RowsProps<Values extends FieldValues> {
  label: string
  field: BindField<Values>
}

const CancellationFeeRows = ({ label, field }: RowsProps<CancellationFeesForm>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { control, ...binding } = field('rows')
  return (
    <>
      <p className={pages.lead}>{t('cancel_slabs_lead')}</p>
      <RowsEditor
        label={label}
        rows={useWatch({ control, name: 'rows' })}
        list={useFieldArray({ control, name: 'rows' })}
        binding={binding}
        blank={{ minsDelayed: 0, amount: 0 }}
        show={(row) => `${format.number(row.minsDelayed)} · ${format.money(row.amount)}`}
      >
        {(index) => (
          <>
            <NumberField label={t('minutes_delayed')} {...field(`rows.${index}.minsDelayed`)} />
            <NumberField label={t('amount')} {...field(`rows.${index}.amount`)} />
          </>
        )}
      </RowsEditor>
    </>
  )
}

const ChoiceRows = ({ label, field }: RowsProps<ChoicesForm>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { control, ...binding } = field('rows')
  return (
    <RowsEditor
      label={label}
      rows={useWatch({ control, name: 'rows' })}
      list={useFieldArray({ control, name: 'rows' })}
      binding={binding}
      blank={{ description: '', amount: 0 }}
      show={(row) => `${row.description} · ${format.money(row.amount)}`}
    >
      {(index) => (
        <>
          <TextField label={t('description')} {...field(`rows.${index}.description`)} />
          <NumberField label={t('amount')} {...field(`rows.${index}.amount`)} />
          <TranslatedTexts binding={{ control, name: `rows.${index}.names` }}>
            {({ langName, langLocale }) => (
              <TextField
                key={langLocale}
                label={langName}
                {...field(`rows.${index}.names.${langLocale}`)}
              />
            )}
          </TranslatedTexts>
        </>
      )}
    </RowsEditor>
  )
}

const ListPanel = ({
  car,
  part,
  authors,
  onSave,
  onClose,
}: {
  car: VehicleType
  part: ListField
  authors: AuthorLookup
  onSave: (changes: Partial<VehicleType>) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const title = `${car.name}: ${t(LIST_TITLES[part])}`
  if (part === 'cancelSlab')
    return (
      <EditPanel<CancellationFeesForm>
        title={title}
        schema={cancellationFeesForm}
        initial={{ rows: car.cancelSlab ?? [] }}
        onSave={({ rows }) =>
          onSave({ cancelSlab: rows.toSorted((a, b) => a.minsDelayed - b.minsDelayed) })
        }
        onClose={onClose}
        {...authors}
      >
        {(field) => <CancellationFeeRows label={title} field={field} />}
      </EditPanel>
    )
  return (
    <EditPanel<ChoicesForm>
      title={title}
      schema={choicesForm}
      initial={{ rows: car[part] ?? [] }}
      onSave={({ rows }) => onSave({ [part]: rows })}
      onClose={onClose}
      {...authors}
    >
      {(field) => <ChoiceRows label={title} field={field} />}
    </EditPanel>
  )
}

const MainFields = ({ field, isMiles }: { field: BindField<MainForm>; isMiles: boolean }) => {
  const { t } = useTranslation()
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
      <ImageField label={t('picture')} onUpload={upload} {...field('image')} />
      <Section title={t('fare')}>
        <NumberField label={t('base_fare')} {...field('base_fare')} />
        <NumberField
          label={t(isMiles ? 'rate_per_mile' : 'rate_per_km')}
          {...field('rate_per_unit_distance')}
        />
        <NumberField label={t('rate_per_hour')} {...field('rate_per_hour')} />
        <NumberField label={t('min_fare')} {...field('min_fare')} />
        <NumberField label={t('convenience_fee')} {...field('convenience_fees')} />
        <SelectField
          label={t('convenience_fee_type')}
          options={[
            { value: 'flat', label: t('flat') },
            { value: 'percentage', label: t('percentage') },
          ]}
          {...field('convenience_fee_type')}
        />
      </Section>
    </>
  )
}

/** Opens the lists of a vehicle type: parcel types and options (delivery), cancellation fees. */
const ListButtons = ({
  car,
  isDelivery,
  onOpen,
}: {
  car: VehicleType
  isDelivery: boolean
  onOpen: (part: ListField) => void
}) => {
  const { t } = useTranslation()
  return (
    <span className={css.actions}>
      {isDelivery &&
        (['parcelTypes', 'options'] as const).map((name) => (
          <IconButton
            key={name}
            label={t('part_of', { part: t(LIST_TITLES[name]), name: car.name })}
            onClick={() => onOpen(name)}
          >
            {name === 'parcelTypes' ? <Icon name="box" /> : <OfficeIcon name="list" />}
          </IconButton>
        ))}
      <IconButton
        label={t('part_of', { part: t(LIST_TITLES.cancelSlab), name: car.name })}
        onClick={() => onOpen('cancelSlab')}
      >
        <Icon name="clock" />
      </IconButton>
    </span>
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
