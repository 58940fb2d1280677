import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import MuiTextField from '@mui/material/TextField'
import { type FieldValues, useController } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { Bound, NameOf } from './EditPage'

interface Common {
  label: string
  hint?: string
  disabled?: boolean
}

const useField = <Values extends FieldValues, Name extends NameOf<Values, unknown>>({
  control,
  name,
}: Bound<Values, Name>) => {
  const { t } = useTranslation()
  const { field, fieldState } = useController({ control, name })
  const { error } = fieldState
  // A message of ours is a sentence already; a schema's is replaced by one a person understands.
  const text =
    error && (error.type ? t(field.value ? 'invalid_field' : 'required_field') : error.message)
  return { field, text }
}

/** One line of text; `multiline` for several. */
export const TextField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  label,
  hint,
  disabled,
  type = 'text',
  multiline,
  ...bound
}: Common &
  Bound<Values, Name> & {
    type?: 'text' | 'email' | 'tel' | 'url' | 'date'
    multiline?: boolean
  }) => {
  const { field, text } = useField(bound)
  const { ref, value, ...rest } = field
  return (
    <MuiTextField
      {...rest}
      inputRef={ref}
      value={value ?? ''}
      label={label}
      type={type}
      disabled={disabled ?? false}
      multiline={multiline ?? false}
      minRows={multiline ? 3 : undefined}
      error={text !== undefined}
      helperText={text ?? hint}
    />
  )
}

/** A non-negative number; anything else becomes empty (specification 5). */
export const NumberField = <
  Values extends FieldValues,
  Name extends NameOf<Values, number | undefined>,
>({
  label,
  hint,
  disabled,
  ...bound
}: Common & Bound<Values, Name>) => {
  const { field, text } = useField(bound)
  const { ref, value, onChange, ...rest } = field
  return (
    <MuiTextField
      {...rest}
      inputRef={ref}
      value={value ?? ''}
      label={label}
      disabled={disabled ?? false}
      slotProps={{ htmlInput: { inputMode: 'decimal' } }}
      onChange={(event) => {
        const typed = event.target.value.replace(',', '.')
        const number = Number(typed)
        onChange(typed === '' || Number.isNaN(number) || number < 0 ? undefined : number)
      }}
      type="number"
      error={text !== undefined}
      helperText={text ?? hint}
    />
  )
}

export const SelectField = <
  Values extends FieldValues,
  Name extends NameOf<Values, string | undefined>,
>({
  label,
  hint,
  disabled,
  options,
  ...bound
}: Common & Bound<Values, Name> & { options: { value: string; label: string }[] }) => {
  const { field, text } = useField(bound)
  const { ref, value, ...rest } = field
  return (
    <MuiTextField
      {...rest}
      select
      inputRef={ref}
      value={value ?? ''}
      label={label}
      disabled={disabled ?? false}
      error={text !== undefined}
      helperText={text ?? hint}
    >
      {options.map((option) => (
        <MenuItem key={option.value} value={option.value}>
          {option.label}
        </MenuItem>
      ))}
    </MuiTextField>
  )
}

export const SwitchField = <
  Values extends FieldValues,
  Name extends NameOf<Values, boolean | undefined>,
>({
  label,
  disabled,
  ...bound
}: Common & Bound<Values, Name>) => {
  const { field } = useField(bound)
  const { ref, value, ...rest } = field
  return (
    <FormControlLabel
      label={label}
      disabled={disabled ?? false}
      control={<Switch {...rest} slotProps={{ input: { ref } }} checked={value === true} />}
    />
  )
}
