import { useMemo } from 'react'
import { useFieldArray } from 'react-hook-form'
import type { Control } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { CarType } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { type CarTypeForm, cancelSlabForm, carTypeForm, choiceForm } from '~/domain/forms/catalogue'
import { at } from '~/domain/paths'
import { carTypes, editCarType } from '~/src/features/carTypes/carTypes'
import { useAppDispatch, useServices } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import type { Column } from '~/src/ui/office/DataTable'
import { EditPanel } from '~/src/ui/office/EditPage'
import { ImageField, NumberField, Section, SelectField, TextField } from '~/src/ui/office/fields'
import { ListPage } from '~/src/ui/office/ListPage'
import { OfficeIcon } from '~/src/ui/office/OfficeIcon'
import pages from '~/src/ui/office/pages.module.css'
import { useOpened } from '~/src/ui/office/tableState'
import type { Field } from '~/src/ui/office/useEditForm'
import { EmptyState } from '~/src/ui/states'
import { AuditTrail } from '../audit/AuditTrail'
import { clock } from '../clock'
import { useOffice } from '../useOffice'
import css from './carTypes.module.css'

type Part = 'parcelTypes' | 'options' | 'cancelSlab'
const PARTS: Record<Part, string> = {
  parcelTypes: 'parcel_types',
  options: 'options',
  cancelSlab: 'cancel_slabs',
}
const isPart = (value: string | null): value is Part => value !== null && value in PARTS

type MainForm = Omit<CarTypeForm, Part>
/** Its lists have panels of their own: saving the rest leaves them as they are by then. */
const withoutParts = (car: CarType) =>
  Object.fromEntries(Object.entries(car).filter(([field]) => !isPart(field))) as MainForm
/** What a new car type begins with. */
const BLANK: Partial<MainForm> = {
  name: '',
  image: '',
  base_fare: 0,
  min_fare: 0,
  convenience_fees: 0,
  convenience_fee_type: 'percentage',
  extra_info: '',
}

/** A list inside the form: its rows, one to add, one to take away. */
const Rows = <Values extends { rows: object[] }>({
  control,
  blank,
  children,
}: {
  control: Control<Values>
  blank: Values['rows'][number]
  children: (index: number) => React.ReactNode
}) => {
  const { t } = useTranslation()
  const { fields, append, remove } = useFieldArray({ control, name: 'rows' as never })
  return (
    <div className={css.rows}>
      {fields.length === 0 && <EmptyState title={t('no_rows')} />}
      {fields.map(({ id }, index) => (
        <div key={id} className={css.row}>
          {children(index)}
          <IconButton label={t('remove')} onClick={() => remove(index)}>
            <Icon name="trash" />
          </IconButton>
        </div>
      ))}
      <Button onClick={() => append(blank as never)}>
        <Icon name="plus" size={18} />
        {t('add')}
      </Button>
    </div>
  )
}

const choicesForm = v.object({ rows: v.array(choiceForm) })
type ChoicesForm = v.InferOutput<typeof choicesForm>
const slabsForm = v.object({ rows: v.array(cancelSlabForm) })
type SlabsForm = v.InferOutput<typeof slabsForm>

const PartPanel = ({
  car,
  part,
  onSave,
  onClose,
}: {
  car: CarType
  part: Part
  onSave: (changes: Partial<CarType>) => Promise<unknown>
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const title = `${car.name}: ${t(PARTS[part])}`
  if (part === 'cancelSlab')
    return (
      <EditPanel<SlabsForm>
        title={title}
        schema={slabsForm}
        initial={{ rows: car.cancelSlab ?? [] }}
        onSave={({ rows }) =>
          onSave({ cancelSlab: [...rows].sort((a, b) => a.minsDelayed - b.minsDelayed) })
        }
        onClose={onClose}
      >
        {(field, { control }) => (
          <>
            <p className={pages.lead}>{t('cancel_slabs_lead')}</p>
            <Rows<SlabsForm> control={control} blank={{ minsDelayed: 0, amount: 0 }}>
              {(index) => (
                <>
                  <NumberField
                    label={t('minutes_delayed')}
                    {...field(`rows.${index}.minsDelayed`)}
                  />
                  <NumberField label={t('amount')} {...field(`rows.${index}.amount`)} />
                </>
              )}
            </Rows>
          </>
        )}
      </EditPanel>
    )
  return (
    <EditPanel<ChoicesForm>
      title={title}
      schema={choicesForm}
      initial={{ rows: car[part] ?? [] }}
      onSave={({ rows }) => onSave({ [part]: rows })}
      onClose={onClose}
    >
      {(field, { control }) => (
        <Rows<ChoicesForm> control={control} blank={{ description: '', amount: 0 }}>
          {(index) => (
            <>
              <TextField label={t('description')} {...field(`rows.${index}.description`)} />
              <NumberField label={t('amount')} {...field(`rows.${index}.amount`)} />
            </>
          )}
        </Rows>
      )}
    </EditPanel>
  )
}

const MainFields = ({ field, isMiles }: { field: Field<MainForm>; isMiles: boolean }) => {
  const { t } = useTranslation()
  const { storage } = useServices()
  const { profile } = useOffice()
  const upload = (file: File) =>
    storage.upload(`users/${profile?.id ?? ''}/cartypes/${Date.now()}`, file)
  return (
    <>
      <Section title={t('car_type')}>
        <TextField label={t('name')} {...field('name')} />
        <TextField label={t('extra_info')} multiline {...field('extra_info')} />
      </Section>
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

/** Vehicle types: what they cost, their parcel types and options (delivery), what cancelling costs. */
export const CarTypesPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { settings, allowed, may, say, sayDeleted } = useOffice()
  const { cars, ...look } = useLive(carTypes)
  // 'id', 'new', or 'id~part' for one of its lists.
  const { opened, open, close } = useOpened('edit')
  const [edited = null, part = null] = opened?.split('~') ?? []
  const isDelivery = settings?.appcat === 'delivery'

  const columns = useMemo((): Column<CarType>[] => {
    const money = (
      id: string,
      title: string,
      value: (car: CarType) => number,
    ): Column<CarType> => ({
      id,
      title,
      align: 'end',
      sort: value,
      cell: (car) => format.money(value(car)),
    })
    return [
      {
        id: 'name',
        title: t('name'),
        sort: (car) => car.name,
        cell: (car) => car.name,
      },
      {
        id: 'image',
        title: t('picture'),
        cell: (car) =>
          car.image ? (
            <img src={car.image} alt="" width="64" height="40" className={css.thumb} />
          ) : null,
      },
      money('base_fare', t('base_fare'), (car) => car.base_fare),
      money(
        'rate_per_unit_distance',
        t(settings?.convert_to_mile ? 'rate_per_mile' : 'rate_per_km'),
        (car) => car.rate_per_unit_distance,
      ),
      money('rate_per_hour', t('rate_per_hour'), (car) => car.rate_per_hour),
      money('min_fare', t('min_fare'), (car) => car.min_fare),
      {
        id: 'convenience_fees',
        title: t('convenience_fee'),
        align: 'end',
        sort: (car) => car.convenience_fees,
        cell: (car) =>
          car.convenience_fee_type === 'flat'
            ? format.money(car.convenience_fees)
            : `${format.number(car.convenience_fees)} %`,
      },
      {
        id: 'extra_info',
        title: t('extra_info'),
        sort: (car) => car.extra_info ?? '',
        cell: (car) => car.extra_info ?? null,
      },
    ]
  }, [t, format, settings?.convert_to_mile])

  const car = cars.find(({ id }) => id === edited)
  const save = async (changes: Partial<CarType>) => {
    if (!may('cartype_save')) throw refusal('demo_mode')
    // Without a picture there is no link, rather than an empty one.
    const fields = 'image' in changes ? { ...changes, image: changes.image || undefined } : changes
    await dispatch(
      editCarType(
        car
          ? { method: 'Update', carType: { ...fields, id: car.id }, quiet: true }
          : { method: 'Add', carType: { ...(fields as CarType), createdAt: clock() }, quiet: true },
      ),
    ).unwrap()
    say('saved')
  }
  const remove = async () => {
    if (!car || !allowed('cartype_delete')) throw new Error('refused')
    await dispatch(editCarType({ carType: car, method: 'Delete' })).unwrap()
    sayDeleted(() => dispatch(editCarType({ carType: car, method: 'Add' })))
  }
  const openAllowed = (what: string) => {
    if (allowed('cartype_save')) open(what)
  }

  return (
    <ListPage
      id="cartypes"
      title={t('menu_car_types')}
      look={look}
      add={{ label: t('add_car_type'), onAdd: () => openAllowed('new') }}
      empty={t('no_cars')}
      rows={cars}
      columns={columns}
      search={(one) => one.name}
      onOpen={(one) => open(one.id)}
      actions={(one) => (
        <span className={css.actions}>
          {isDelivery &&
            (['parcelTypes', 'options'] as const).map((name) => (
              <IconButton
                key={name}
                label={t('part_of', { part: t(PARTS[name]), name: one.name })}
                onClick={() => openAllowed(`${one.id}~${name}`)}
              >
                {name === 'parcelTypes' ? <Icon name="box" /> : <OfficeIcon name="list" />}
              </IconButton>
            ))}
          <IconButton
            label={t('part_of', { part: t(PARTS.cancelSlab), name: one.name })}
            onClick={() => openAllowed(`${one.id}~cancelSlab`)}
          >
            <Icon name="clock" />
          </IconButton>
        </span>
      )}
      {...(may('table_export') && { exportAs: { name: 'cartypes' } })}
    >
      {car && isPart(part) ? (
        <PartPanel
          key={`${car.id} ${part}`}
          car={car}
          part={part}
          onSave={save}
          onClose={() => close()}
        />
      ) : (
        (car || edited === 'new') && (
          <EditPanel<MainForm>
            key={edited}
            wide
            title={car?.name ?? t('add_car_type')}
            schema={carTypeForm as never}
            initial={car ? withoutParts(car) : BLANK}
            onSave={save}
            onClose={() => close()}
            {...(car && { onRemove: remove, undoable: true })}
          >
            {(field) => (
              <>
                <MainFields field={field} isMiles={settings?.convert_to_mile ?? false} />
                {car && (
                  <Section title={t('audit_of_record')}>
                    <AuditTrail path={at.carType(car.id)} />
                  </Section>
                )}
              </>
            )}
          </EditPanel>
        )
      )}
    </ListPage>
  )
}
