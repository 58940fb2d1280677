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

/** A field's value, what its input takes besides, and the same with its label, its hint and what is wrong with it. */
const useField = <Values extends FieldValues, Name extends NameOf<Values, unknown>>({
  label,
  hint,
  disabled = false,
  ...bound
}: Common & Bound<Values, Name>) => {
  const { t, i18n } = useTranslation()
  const { field, fieldState } = useController(bound)
  const { value, ...rest } = field
  const { error } = fieldState
  const message = error?.message ?? ''
  // A message of ours is a key or a sentence already; a schema's own is replaced by one a person understands.
  const spoken = i18n.exists(message)
    ? t(message)
    : error?.type
      ? t(value ? 'invalid_field' : 'required_field')
      : message
  const input = { ...rest, disabled }
  return { value, input, shown: { ...input, label, hint, error: error && spoken } }
}

/** One line of text; `multiline` for several. */
export const TextField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  type = 'text',
  multiline,
  ...bound
}: Common &
  Bound<Values, Name> & {
    type?: 'text' | 'email' | 'tel' | 'url'
    multiline?: boolean
  }) => {
  const { value, shown } = useField(bound)
  return multiline ? (
    <TextArea {...shown} value={value ?? ''} rows={3} />
  ) : (
    <TextInput {...shown} value={value ?? ''} type={type} />
  )
}

/** A non-negative number; anything else becomes empty (specification 5). */
export const NumberField = <
  Values extends FieldValues,
  Name extends NameOf<Values, number | undefined>,
>(
  bound: Common & Bound<Values, Name>,
) => {
  const { value, shown } = useField(bound)
  // "1." and "0.0" are on their way to a number: what is typed stays as it is.
  const [typed, setTyped] = useState<string | null>(null)
  return (
    <TextInput
      {...shown}
      inputMode="decimal"
      value={typed ?? value ?? ''}
      onBlur={() => {
        setTyped(null)
        shown.onBlur()
      }}
      onChange={({ target }) => {
        const now = target.value.replace(',', '.').trim()
        const number = Number(now)
        const valid = now !== '' && Number.isFinite(number) && number >= 0
        setTyped(valid ? now : '')
        shown.onChange(valid ? number : undefined)
      }}
    />
  )
}

/** A day, kept as its last instant (ms) in the time zone. */
export const DateField = <
  Values extends FieldValues,
  Name extends NameOf<Values, number | undefined>,
>({
  timezone,
  ...bound
}: Common & Bound<Values, Name> & { timezone: string | undefined }) => {
  const { value, shown } = useField(bound)
  const at = value as number | undefined
  return (
    <TextInput
      {...shown}
      type="date"
      value={at === undefined ? '' : toWallClock(at, timezone).slice(0, 10)}
      onChange={({ target }) => {
        const minute = fromWallClock(`${target.value}T23:59`, timezone)
        shown.onChange(minute === null ? undefined : minute + 59_999)
      }}
    />
  )
}

/** One of several; an option without a value is "none". */
export const SelectField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  options,
  ...bound
}: Common & Bound<Values, Name> & { options: { value: string; label: string }[] }) => {
  const { value, shown } = useField(bound)
  return (
    <SelectInput {...shown} value={value ?? ''}>
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
>(
  bound: Common & Bound<Values, Name>,
) => {
  const { value, input } = useField(bound)
  return (
    <label className={css.switch}>
      <span>
        {bound.label}
        {bound.hint && <small>{bound.hint}</small>}
      </span>
      <input type="checkbox" role="switch" {...input} checked={value === true} />
    </label>
  )
}

/** A picture by upload or by its link. `onUpload` answers the link, or rejects. */
export const ImageField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  onUpload,
  ...bound
}: Common & Bound<Values, Name> & { onUpload: (file: File) => Promise<string> }) => {
  const { t } = useTranslation()
  const { value, shown } = useField(bound)
  const { onChange, disabled, error } = shown
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
          {...shown}
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
