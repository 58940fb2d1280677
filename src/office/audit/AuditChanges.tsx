import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { PersonName } from '../people/PersonName'
import { useOfficeSession } from '../useOfficeSession'
import css from './audit.module.css'
import {
  FIELD_LABELS,
  MONEY_FIELDS,
  PERSON_FIELDS,
  TIME_FIELDS,
  UNIT_LABELS,
  VALUE_TEXTS,
} from './fieldLabels'
import { CarTypeName } from './RecordName'
import { getFieldChanges } from './auditedRecords'
import type { AuditEntry } from '~/domain/office/types'

const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Returns the label of a field by its name in the database, or the name itself without a label. */
const useFieldLabel = () => {
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  return (name: string): string => {
    const unit = UNIT_LABELS[name]?.[settings?.convert_to_mile ? 'miles' : 'km']
    const label = unit ?? FIELD_LABELS[name]
    return label ? t(label) : name
  }
}

/** Returns a field's value in words: amounts with their currency, ids as they are. */
const useValueText = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const getLabel = useFieldLabel()
  const getReason = useReasonText()
  return (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
    if (typeof value === 'number') {
      if (TIME_FIELDS.has(name)) return format.dateTime(value)
      return MONEY_FIELDS.has(name) ? format.money(value) : format.number(value)
    }
    if (name === 'fields' && typeof value === 'object' && value !== null)
      return Object.values(value as Record<string, string>)
        .map(getLabel)
        .join(', ')
    if (typeof value !== 'string') return JSON.stringify(value)
    if (name === 'reason') return getReason(value)
    const text = VALUE_TEXTS[name]?.[value]
    return text ? t(text) : value
  }
}

/** Shows a field's value in words, with names for ids. */
const FieldValue = ({ name, value }: { name: string; value: unknown }): ReactNode => {
  const getText = useValueText()
  if (typeof value === 'string' && PERSON_FIELDS.has(name)) return <PersonName id={value} />
  if (typeof value === 'string' && name === 'carType') return <CarTypeName id={value} />
  return getText(name, value)
}

/** Returns the people whom the changes of an entry name by ID. */
export const getChangedPersonIds = (entry: AuditEntry): string[] =>
  getFieldChanges(entry)
    .filter(({ name }) => PERSON_FIELDS.has(name))
    .flatMap(({ from, to }) => [from, to])
    .filter((id): id is string => typeof id === 'string' && id !== '')

/** Returns a function that writes the changes of an entry as one text, for exports. */
export const useChangesText = () => {
  usePaymentTexts()
  const getLabel = useFieldLabel()
  const getText = useValueText()
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  return (entry: AuditEntry, names: ReadonlyMap<string, string>): string => {
    const getValue = (name: string, value: unknown): string => {
      if (isEmpty(value)) return ''
      const type = name === 'carType' && cars.find(({ id }) => id === value)
      if (type) return getTypeName(type)
      const person = typeof value === 'string' && PERSON_FIELDS.has(name) && names.get(value)
      return person || getText(name, value)
    }
    return getFieldChanges(entry)
      .map(({ name, from, to }) => {
        const label = name && name !== 'fields' ? `${getLabel(name)}: ` : ''
        const values = [getValue(name, from), getValue(name, to)].filter((text) => text !== '')
        return `${label}${values.join(' → ')}`
      })
      .join('; ')
  }
}

/**
 * Shows the changes in an audit entry, before and after; at most `most`, because the record's own
 * history shows the rest.
 */
export const AuditChanges = ({
  entry,
  most: maxChanges = Infinity,
}: {
  entry: AuditEntry
  most?: number
}) => {
  usePaymentTexts()
  const getLabel = useFieldLabel()
  const changes = getFieldChanges(entry)
  return (
    <>
      {changes.slice(0, maxChanges).map(({ name, from, to }) => (
        <span key={name} dir="auto" className={css.change}>
          {name && name !== 'fields' && <span>{getLabel(name)}:</span>}
          {!isEmpty(from) && (
            <del>
              <FieldValue name={name} value={from} />
            </del>
          )}
          {!isEmpty(from) && !isEmpty(to) && <span aria-hidden="true">→</span>}
          {!isEmpty(to) && (
            <ins>
              <FieldValue name={name} value={to} />
            </ins>
          )}
        </span>
      ))}
      {changes.length > maxChanges && '…'}
    </>
  )
}
