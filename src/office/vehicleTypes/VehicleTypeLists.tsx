import { type ReactNode, useEffect } from 'react'
import { type FieldValues, useFieldArray, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import * as v from 'valibot'
import type { VehicleType } from '~/domain/catalog/types'
import { cancellationFeeTierForm, choiceForm } from '~/domain/forms/catalogForms'
import { EditPanel } from '~/src/office/recordPages/EditPage'
import pages from '~/src/office/recordPages/pages.module.css'
import { TranslatedTexts } from '~/src/office/recordPages/TranslatedTexts'
import { Button, IconButton } from '~/src/ui/controls'
import { EmptyState } from '~/src/ui/feedback/states'
import { ConcurrentEditHint, isSameValue } from '~/src/ui/forms/concurrentEdits'
import { NumberField, TextField } from '~/src/ui/forms/fields'
import type { AuthorLookup } from '~/src/ui/forms/useEditForm'
import type { BindField, FieldBinding } from '~/src/ui/forms/useSchemaForm'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { OfficeIcon } from '~/src/ui/table/OfficeIcon'
import css from './VehicleTypesPage.module.css'

/** The fields of a vehicle type that are lists, each with a panel of its own. */
export type ListField = 'parcelTypes' | 'options' | 'cancelSlab'
const LIST_TITLES: Record<ListField, string> = {
  parcelTypes: 'parcel_types',
  options: 'options',
  cancelSlab: 'cancel_slabs',
}
/** Returns true when a list of a vehicle type has this name. */
export const isListField = (value: string | null): value is ListField =>
  value !== null && value in LIST_TITLES

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
            <NumberField label={t('amount')} unit="money" {...field(`rows.${index}.amount`)} />
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
          <NumberField label={t('amount')} unit="money" {...field(`rows.${index}.amount`)} />
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

/** Edits one list of a vehicle type. */
export const ListPanel = ({
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

/** Opens the lists of a vehicle type: parcel types and options (delivery), cancellation fees. */
export const ListButtons = ({
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
