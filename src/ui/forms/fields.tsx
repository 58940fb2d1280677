import { type InputHTMLAttributes, type ReactNode, useEffect, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { fromWallClock, toWallClock, useFormat } from '~/src/ui/format/format'
import { Button, SelectInput, TextArea, TextInput } from '~/src/ui/controls'
import { parseLocaleNumber, formatLocaleNumber } from '~/domain/language/localeNumber'
import { isSameValue, ConcurrentEditHint } from './concurrentEdits'
import css from './fields.module.css'
import type { FieldBinding, FieldName } from './useSchemaForm'
import { type NumberUnit, useFieldUnit } from './fieldUnits'
import { useSingleRun } from '~/src/ui/useSingleRun'

export interface FieldOptions {
  label: string
  hint?: ReactNode
  disabled?: boolean
}

/**
 * Returns a field's value, the props of its input, and the same with its label, hint and error.
 * `show` formats a value as text, for sentences about the field.
 */
export const useField = <Values extends FieldValues, Name extends FieldName<Values, unknown>>(
  {
    label,
    hint,
    disabled = false,
    isRequired,
    concurrentEdit,
    describe,
    ...bound
  }: FieldOptions & FieldBinding<Values, Name>,
  show: (value: unknown) => string,
) => {
  const { t, i18n } = useTranslation()
  const { field, fieldState } = useController(bound)
  const { value, ...rest } = field
  const { error } = fieldState
  const message = error?.message ?? ''
  // Our own messages are keys or translated sentences; a schema's default message is replaced by a
  // readable one.
  const errorText = i18n.exists(message)
    ? t(message)
    : error?.type
      ? t(value ? 'invalid_field' : 'field_required')
      : message
  const shows = (fieldValue: unknown) => show(fieldValue) || t('empty_value')
  useEffect(() => describe?.({ label, formatValue: shows }))
  const changed = concurrentEdit && (
    <ConcurrentEditHint
      edit={concurrentEdit}
      author={concurrentEdit.author}
      show={shows}
      isMine={!concurrentEdit.isResolved && !isSameValue(value, concurrentEdit.to)}
      onTake={() =>
        field.onChange(concurrentEdit.to ?? (typeof concurrentEdit.from === 'string' ? '' : null))
      }
    />
  )
  const input = { ...rest, disabled }
  const hints = (hint || changed) && (
    <>
      {hint}
      {changed}
    </>
  )
  return {
    value,
    input,
    changed,
    inputProps: { ...input, label, required: isRequired, hint: hints, error: error && errorText },
  }
}
/** Returns a field's text; empty for a value of another type. */
export const toText = (value: unknown) => (typeof value === 'string' ? value : '')

/** Renders a text field with one line; with `multiline`, several. */
export const TextField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>({
  type = 'text',
  multiline,
  rows = 3,
  maxLength,
  autoComplete,
  dir,
  lang,
  ...bound
}: FieldOptions &
  FieldBinding<Values, Name> &
  Pick<InputHTMLAttributes<HTMLInputElement>, 'maxLength' | 'autoComplete' | 'dir' | 'lang'> & {
    type?: 'text' | 'email' | 'tel' | 'url' | 'time' | 'password'
    multiline?: boolean
    /** Visible lines, with `multiline`. */
    rows?: number
  }) => {
  const { value, inputProps } = useField(bound, toText)
  const attributes = {
    ...inputProps,
    value: value ?? '',
    maxLength,
    autoComplete,
    lang,
    // Without one, the input derives its direction from its type.
    ...(dir && { dir }),
  }
  return multiline ? (
    <TextArea {...attributes} rows={rows} />
  ) : (
    <TextInput {...attributes} type={type} />
  )
}

/**
 * Renders a number field in the format of the user's language. The text stays as typed. The form
 * holds the number, null for an empty field, or the invalid text, which the schema refuses.
 */
export const NumberField = <
  Values extends FieldValues,
  Name extends FieldName<Values, number | null | undefined>,
>({
  unit,
  ...bound
}: FieldOptions & FieldBinding<Values, Name> & { unit?: NumberUnit }) => {
  const { locale } = useFormat()
  const shownUnit = useFieldUnit(unit)
  const written = (value: unknown) =>
    typeof value === 'number' ? formatLocaleNumber(value, locale) : toText(value)
  const { value, inputProps } = useField(bound, written)
  const [typed, setTyped] = useState('')
  // We keep incomplete input such as "1." or "0.50", but reformat a value that changed elsewhere.
  const text = isSameValue(parseLocaleNumber(typed, locale), value) ? typed : written(value)
  return (
    <TextInput
      {...inputProps}
      unit={shownUnit}
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      value={text}
      onBlur={() => {
        // Reformatted so that the user sees how we parsed the input.
        if (typeof value === 'number') setTyped(written(value))
        inputProps.onBlur()
      }}
      onChange={({ target }) => {
        setTyped(target.value)
        inputProps.onChange(parseLocaleNumber(target.value, locale))
      }}
    />
  )
}

/** Renders a date field; its value is the last instant (ms) of that day in the time zone. */
export const DateField = <
  Values extends FieldValues,
  Name extends FieldName<Values, number | undefined>,
>({
  timezone,
  ...bound
}: FieldOptions & FieldBinding<Values, Name> & { timezone: string | undefined }) => {
  const format = useFormat()
  const { value, inputProps } = useField(bound, (at) =>
    typeof at === 'number' ? format.date(at) : '',
  )
  const at = value as number | null | undefined
  return (
    <TextInput
      {...inputProps}
      type="date"
      value={at === undefined || at === null ? '' : toWallClock(at, timezone).slice(0, 10)}
      onChange={({ target }) => {
        const minute = fromWallClock(`${target.value}T23:59`, timezone)
        inputProps.onChange(minute === null ? null : minute + 59_999)
      }}
    />
  )
}

/** Renders a select field; an option without a value means "none". */
export const SelectField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>({
  options,
  ...bound
}: FieldOptions & FieldBinding<Values, Name> & { options: { value: string; label: string }[] }) => {
  const { value, inputProps } = useField(
    bound,
    (one) => options.find((option) => option.value === one)?.label ?? toText(one),
  )
  return (
    <SelectInput {...inputProps} value={value ?? ''}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectInput>
  )
}

/** Renders a switch with a description of its effect. */
export const SwitchField = <
  Values extends FieldValues,
  Name extends FieldName<Values, boolean | undefined>,
>({
  isLabelHidden,
  ...bound
}: FieldOptions &
  FieldBinding<Values, Name> & {
    /** True where a table's headers say what the switch is for. */
    isLabelHidden?: boolean
  }) => {
  const { t } = useTranslation()
  const { value, input, changed } = useField(bound, (on) => t(on === true ? 'yes' : 'no'))
  return (
    <div>
      <label className={css.switch}>
        <span className={isLabelHidden ? 'visually-hidden' : undefined}>
          {bound.label}
          {bound.hint && <small>{bound.hint}</small>}
        </span>
        <input type="checkbox" role="switch" {...input} checked={value === true} />
      </label>
      {changed}
    </div>
  )
}

/**
 * Renders an image field that takes an upload or a URL. `onUpload` resolves to the URL, or rejects.
 */
export const ImageField = <
  Values extends FieldValues,
  Name extends FieldName<Values, string | undefined>,
>({
  onUpload,
  ...bound
}: FieldOptions & FieldBinding<Values, Name> & { onUpload: (file: File) => Promise<string> }) => {
  const { t } = useTranslation()
  const { value, inputProps } = useField(bound, toText)
  const { onChange, disabled, error } = inputProps
  const { busy, run } = useSingleRun()
  const [failed, setFailed] = useState(false)
  const choose = (file: File | undefined) => {
    if (!file) return
    setFailed(false)
    run(() => onUpload(file).then(onChange)).catch(() => setFailed(true))
  }
  return (
    <div className={css.image}>
      <div className={css.picture}>
        {value ? <img src={value} alt="" /> : <span>{t('no_picture')}</span>}
      </div>
      <div className={css.imageFields}>
        <TextInput
          {...inputProps}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value)}
          error={failed ? t('upload_failed') : error}
        />
        <label className={css.upload}>
          <input
            type="file"
            accept="image/png,image/jpeg,image/webp"
            disabled={disabled || busy}
            onChange={({ target }) => choose(target.files?.[0])}
          />
          <span>{t(busy ? 'loading' : 'upload_picture')}</span>
        </label>
        {value && (
          <Button size="small" variant="quiet" disabled={disabled} onClick={() => onChange('')}>
            {t('remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Shows a read-only value as plain text. */
export const ReadOnlyValue = ({ label, children }: { label: string; children: ReactNode }) => (
  <dl className={css.readOnly}>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </dl>
)

/** Groups related fields under a heading. */
export const Section = ({
  id,
  title,
  children,
}: {
  /** The ID by which a long form links to the section. */
  id?: string
  title: string
  children: ReactNode
}) => (
  <fieldset id={id} className={css.section} tabIndex={id === undefined ? undefined : -1}>
    <legend>{title}</legend>
    <div className={css.grid}>{children}</div>
  </fieldset>
)
