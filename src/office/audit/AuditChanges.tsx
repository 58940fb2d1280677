import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/domain/entities'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useFormat } from '~/src/ui/format'
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

/** Shows a field's value in words: names for ids, amounts with their currency. */
const FieldValue = ({ name, value }: { name: string; value: unknown }): ReactNode => {
  const { t } = useTranslation()
  const format = useFormat()
  const getLabel = useFieldLabel()
  const getReason = useReasonText()
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
  if (PERSON_FIELDS.has(name)) return <PersonName id={value} />
  if (name === 'carType') return <CarTypeName id={value} />
  if (name === 'reason') return getReason(value)
  const text = VALUE_TEXTS[name]?.[value]
  return text ? t(text) : value
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
