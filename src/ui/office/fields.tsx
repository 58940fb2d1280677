import { type ReactNode, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { fromWallClock, toWallClock } from '../format'
import { Button, SelectInput, TextArea, TextInput } from '../controls'
import css from './fields.module.css'
import type { Bound, NameOf } from './useEditForm'

interface Common {
  label: string
  hint?: ReactNode
  disabled?: boolean
}

const useField = <Values extends FieldValues, Name extends NameOf<Values, unknown>>({
  control,
  name,
}: Bound<Values, Name>) => {
  const { t, i18n } = useTranslation()
  const { field, fieldState } = useController({ control, name })
  const { error } = fieldState
  const message = error?.message ?? ''
  // A message of ours is a key or a sentence already; a schema's own is replaced by one a person understands.
  const spoken = i18n.exists(message)
    ? t(message)
    : error?.type
      ? t(field.value ? 'invalid_field' : 'required_field')
      : message
  return { field, text: error && spoken }
}

/** One line of text; `multiline` for several. */
export const TextField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  label,
  hint,
  disabled = false,
  type = 'text',
  multiline,
  ...bound
}: Common &
  Bound<Values, Name> & {
    type?: 'text' | 'email' | 'tel' | 'url'
    multiline?: boolean
  }) => {
  const { field, text } = useField(bound)
  const { value, ...rest } = field
  const shared = { ...rest, value: value ?? '', label, hint, disabled, error: text }
  return multiline ? <TextArea {...shared} rows={3} /> : <TextInput {...shared} type={type} />
}

/** A non-negative number; anything else becomes empty (specification 5). */
export const NumberField = <
  Values extends FieldValues,
  Name extends NameOf<Values, number | undefined>,
>({
  label,
  hint,
  disabled = false,
  ...bound
}: Common & Bound<Values, Name>) => {
  const { field, text } = useField(bound)
  const { value, onChange, ...rest } = field
  // "1." and "0.0" are on their way to a number: what is typed stays as it is.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...rest}
      inputMode="decimal"
      label={label}
      hint={hint}
      disabled={disabled}
      error={text}
      value={typed ?? value ?? ''}
      onBlur={() => {
        setTyped(null)
        rest.onBlur()
      }}
      onChange={({ target }) => {
        const now = target.value.replace(',', '.').trim()
        const number = Number(now)
        const valid = now !== '' && Number.isFinite(number) && number >= 0
        setTyped(valid ? now : '')
        onChange(valid ? number : undefined)
      }}
    />
  )
}

/** A day, kept as its last instant (ms) in the time zone. */
export const DateField = <
  Values extends FieldValues,
  Name extends NameOf<Values, number | undefined>,
>({
  label,
  hint,
  disabled = false,
  timezone,
  ...bound
}: Common & Bound<Values, Name> & { timezone: string | undefined }) => {
  const { field, text } = useField(bound)
  const { value, onChange, ...rest } = field
  const at = value as number | undefined
  return (
    <TextInput
      {...rest}
      type="date"
      label={label}
      hint={hint}
      disabled={disabled}
      error={text}
      value={at === undefined ? '' : toWallClock(at, timezone).slice(0, 10)}
      onChange={({ target }) => {
        const minute = fromWallClock(`${target.value}T23:59`, timezone)
        onChange(minute === null ? undefined : minute + 59_999)
      }}
    />
  )
}

/** One of several; an option without a value is "none". */
export const SelectField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  label,
  hint,
  disabled = false,
  options,
  ...bound
}: Common & Bound<Values, Name> & { options: { value: string; label: string }[] }) => {
  const { field, text } = useField(bound)
  const { value, ...rest } = field
  return (
    <SelectInput
      {...rest}
      value={value ?? ''}
      label={label}
      hint={hint}
      disabled={disabled}
      error={text}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectInput>
  )
}

/** On or off, with what it does in words beside it. */
export const SwitchField = <
  Values extends FieldValues,
  Name extends NameOf<Values, boolean | undefined>,
>({
  label,
  hint,
  disabled = false,
  ...bound
}: Common & Bound<Values, Name>) => {
  const { field } = useField(bound)
  const { value, ...rest } = field
  return (
    <label className={css.switch}>
      <span>
        {label}
        {hint && <small>{hint}</small>}
      </span>
      <input type="checkbox" role="switch" {...rest} checked={value === true} disabled={disabled} />
    </label>
  )
}

/** A picture by upload or by its link. `onUpload` answers the link, or rejects. */
export const ImageField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  label,
  hint,
  disabled = false,
  onUpload,
  ...bound
}: Common & Bound<Values, Name> & { onUpload: (file: File) => Promise<string> }) => {
  const { t } = useTranslation()
  const { field, text } = useField(bound)
  const { value, onChange, ...rest } = field
  const [busy, setBusy] = useState(false)
  const [failed, setFailed] = useState(false)
  const choose = (file: File | undefined) => {
    if (!file) return
    setBusy(true)
    setFailed(false)
    onUpload(file)
      .then(onChange, () => setFailed(true))
      .finally(() => setBusy(false))
  }
  return (
    <div className={css.image}>
      <div className={css.picture}>
        {value ? <img src={value as string} alt="" /> : <span>{t('no_picture')}</span>}
      </div>
      <div className={css.imageFields}>
        <TextInput
          {...rest}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value)}
          label={label}
          hint={hint}
          disabled={disabled}
          error={failed ? t('upload_failed') : text}
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
          <Button size="small" look="quiet" disabled={disabled} onClick={() => onChange('')}>
            {t('remove')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A heading over fields that belong together. */
export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={css.section}>
    <legend>{title}</legend>
    <div className={css.grid}>{children}</div>
  </fieldset>
)
